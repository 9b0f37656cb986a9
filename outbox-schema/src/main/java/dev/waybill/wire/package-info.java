/** The contract between engine and consumers: topics, keys and headers, without any Kafka class. */
@NullMarked
package dev.waybill.wire;

import org.jspecify.annotations.NullMarked;
