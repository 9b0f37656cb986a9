/**
 * Lets each event take effect once, whatever the network, the broker or a crash does: the front
 * door.
 *
 * <p>Four stages, a package each, joined by {@code ConsumerLoop}:
 *
 * <ul>
 *   <li>{@code poll}: takes records and keeps the membership in the group;
 *   <li>{@code guard}: lets an event through once, in one transaction with the handler's writes;
 *   <li>{@code handle}: calls the handler; {@code park} sets aside what cannot be handled;
 *   <li>{@code commit}: the offset below which every event has an outcome.
 * </ul>
 *
 * <p>One thread polls; workers guard and handle. A partition is worked off by one worker at a time,
 * in order. An event that is to be tried again holds up its partition and no other.
 *
 * <p>What happens when:
 *
 * <table>
 * <caption>Failures</caption>
 * <tr><th>failure</th><th>what follows</th></tr>
 * <tr><td>the handler throws, or swallowed an aborted transaction</td><td>rolled back, tried again
 *     by the retry policy, then parked</td></tr>
 * <tr><td>conflict with another transaction</td><td>repeated at once, as a whole</td></tr>
 * <tr><td>database away, guard tables missing</td><td>the partition waits, for as long as it takes;
 *     no attempt is counted</td></tr>
 * <tr><td>the park topic does not take the event</td><td>its partition waits; the others go on</td></tr>
 * <tr><td>the record is no event, the payload cannot be decoded</td><td>parked at once</td></tr>
 * <tr><td>partition revoked</td><td>queued records are dropped, the running handler is waited for,
 *     offsets are committed, then the next owner begins</td></tr>
 * <tr><td>partition lost, process killed</td><td>the next owner begins at the committed offset; the
 *     guard knows what took effect</td></tr>
 * </table>
 */
@NullMarked
package dev.waybill.consumer;

import org.jspecify.annotations.NullMarked;
