@NullMarked
package dev.waybill.outbox;

import org.jspecify.annotations.NullMarked;
