/**
 * The demo, and what to read first as a user of Waybill: {@code orders} announces events, {@code
 * inventory} and {@code points} let them take effect, each as small as a real service can be.
 */
@NullMarked
package dev.waybill.quickstart;

import org.jspecify.annotations.NullMarked;
