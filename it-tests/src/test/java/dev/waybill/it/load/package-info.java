/**
 * Writers of mixed transactions, the ledger of what they committed, and the audit that compares it
 * with what is in Kafka.
 */
@NullMarked
package dev.waybill.it.load;

import org.jspecify.annotations.NullMarked;
