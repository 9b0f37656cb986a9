/**
 * Kafka behind one door: events, parked events and progress. The only importer of Kafka's clients.
 *
 * <h2>What is authoritative</h2>
 *
 * The newest record of {@code waybill.<engine>.progress} says how far the engine has come, unless
 * it is a straggler of an engine that was replaced ({@link
 * dev.waybill.engine.publish.ProgressTopic}); nothing else does, and the engine keeps nothing on a
 * disk of its own. It is written only after everything that it covers was acknowledged. So after a
 * crash the source repeats at most what had been published since, with the same bytes, and nothing
 * is left out.
 *
 * <h2>Order</h2>
 *
 * A batch is handed to the producer in its order, flushed once, and done when every record is
 * acknowledged by all in-sync replicas. The producer is idempotent with one request in flight: its
 * own retries keep the order, also in a topic that was just made; that a broker which was stopped
 * and started writes the last of them twice was seen all the same. We never send anything again
 * ourselves while something later may be on its way. When a record fails, its callback closes the
 * producer from within the producer's thread, before that thread can send anything later ({@link
 * dev.waybill.engine.publish.InFlight}); a new publisher then gets everything from the stored
 * position on, or, where the broker only refused some records, a new producer the rest of the
 * batch. Whatever {@code publish.kafka.*} says that would break this is refused ({@link
 * dev.waybill.engine.publish.PublishConfig#problems}).
 *
 * <h2>What may go wrong, and what becomes of it</h2>
 *
 * <table>
 *   <caption>Failures</caption>
 *   <tr><th>what</th><th>found</th><th>outcome</th></tr>
 *   <tr><td>broker away, too slow, not enough replicas</td><td>by a time-out (delivery 30 s,
 *       together with blocking at most 40 s)</td><td>{@link
 *       dev.waybill.engine.publish.BrokerUnavailableException}: the publisher is over, the engine
 *       waits and opens a new one</td></tr>
 *   <tr><td>topic missing and not made by the broker</td><td>before anything of the batch is sent;
 *       later by {@link dev.waybill.engine.publish.Broker#open()}, before the source is
 *       touched</td><td>the same; names topic and event, goes on once the topic exists</td></tr>
 *   <tr><td>topic that cannot be made beside one whose name differs in "." and "_"</td><td>before
 *       anything is sent</td><td>parked, or stop</td></tr>
 *   <tr><td>topic may not be written to</td><td>before anything is sent, or by the send</td>
 *       <td>the same</td></tr>
 *   <tr><td>record larger than its topic or the producer takes</td><td>before anything is sent;
 *       the topic's limit is read again if what is known is older than ten seconds</td><td>parked,
 *       or stop</td></tr>
 *   <tr><td>record refused by the broker although it seemed to fit, or for its time, or for a
 *       reason of the broker's own</td><td>by the send</td><td>parked, or stop; see
 *       below</td></tr>
 *   <tr><td>row that cannot be routed</td><td>by routing</td><td>parked, or stop</td></tr>
 *   <tr><td>progress written by a newer version</td><td>when it is read</td><td>{@link
 *       dev.waybill.engine.publish.ProgressUnreadableException}</td></tr>
 *   <tr><td>own topics that would forget (wrong clean-up policy, several partitions)</td><td>by
 *       {@code open()}</td><td>{@code BrokerUnavailableException} that names the remedy</td></tr>
 * </table>
 *
 * <h2>Records that the broker refuses</h2>
 *
 * A broker takes or refuses what one request holds for a partition as a whole, and names the
 * records that it refuses; the producer fails those with an exception of their own and the ones
 * beside them with another. What was named is refused for good: it is parked in its place, and what
 * is not in Kafka yet goes once more through a new producer, in its order, which begins where the
 * closed one had no acknowledgement ({@link dev.waybill.engine.publish.Batch}). What had one is not
 * sent again. Where records are refused together and none is named (a batch larger than the topic's
 * segments), the rest of the batch is sent one by one. A progress or parked record that is refused
 * is waited for like a broker that is away.
 *
 * <h2>Sizes</h2>
 *
 * What counts is the record as it is serialised, with key and headers, before compression. A record
 * that only fits because it compresses well is parked all the same: whether an event is published
 * must not depend on its text. With compression less than one per cent is kept free, since what
 * cannot be compressed grows. Where the topic's limit may not be read (DESCRIBE_CONFIGS), Kafka's
 * default of 1,048,588 bytes is assumed, or {@code publish.kafka.max.request.size} where that is
 * set.
 *
 * <h2>Parked events</h2>
 *
 * {@code waybill.<engine>.parked} holds the record as it would have been, with {@link
 * dev.waybill.wire.ParkedHeaders} behind its own headers. It is acknowledged like an event before
 * progress goes past it, never expires and is never compacted.
 */
@NullMarked
package dev.waybill.engine.publish;

import org.jspecify.annotations.NullMarked;
