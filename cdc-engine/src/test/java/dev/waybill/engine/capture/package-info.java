@NullMarked
package dev.waybill.engine.capture;

import org.jspecify.annotations.NullMarked;
