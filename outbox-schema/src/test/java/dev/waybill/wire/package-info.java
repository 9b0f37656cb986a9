@NullMarked
package dev.waybill.wire;

import org.jspecify.annotations.NullMarked;
