/** A service that places orders and announces each in the same transaction. */
@NullMarked
package dev.waybill.quickstart.orders;

import org.jspecify.annotations.NullMarked;
