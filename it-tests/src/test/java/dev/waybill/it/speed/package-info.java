/** How fast the whole engine is: figures to be printed and compared, never asserted. */
@NullMarked
package dev.waybill.it.speed;

import org.jspecify.annotations.NullMarked;
