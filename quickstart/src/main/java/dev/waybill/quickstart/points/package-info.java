/** A service that grants points for every order that was placed. */
@NullMarked
package dev.waybill.quickstart.points;

import org.jspecify.annotations.NullMarked;
