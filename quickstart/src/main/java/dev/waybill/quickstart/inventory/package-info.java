/** A service that reserves stock for every order that was placed. */
@NullMarked
package dev.waybill.quickstart.inventory;

import org.jspecify.annotations.NullMarked;
