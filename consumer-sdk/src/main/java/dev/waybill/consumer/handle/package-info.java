/** What the user writes, and how it may end: handlers, outcomes, retry policy. */
@NullMarked
package dev.waybill.consumer.handle;

import org.jspecify.annotations.NullMarked;
