@NullMarked
package dev.waybill.engine;

import org.jspecify.annotations.NullMarked;
