/**
 * Takes records from Kafka and stays a member of the group: the only package that knows the Kafka
 * consumer.
 *
 * <p>What is authoritative: the group coordinator says whose a partition is, and says it inside
 * {@link dev.waybill.consumer.poll.Poller#poll}. A partition that is revoked is ours until the call
 * to {@link dev.waybill.consumer.poll.Assignments#revoked} returns, so that is where running work
 * is waited for and offsets are committed; a lost one is ours no more. Both hold for the classic
 * protocol, eager and cooperative, and for the consumer protocol of KIP-848.
 *
 * <p>Handlers never run on the polling thread. When they are slow, their partitions are held, and
 * polling goes on: membership does not depend on how long a handler takes.
 *
 * <p>Failures: what Kafka's client retries by itself is not seen here. Anything else ends the
 * {@link dev.waybill.consumer.poll.Poller}, and a new one is made from the committed offsets.
 */
@NullMarked
package dev.waybill.consumer.poll;

import org.jspecify.annotations.NullMarked;
