@NullMarked
package dev.waybill.event;

import org.jspecify.annotations.NullMarked;
