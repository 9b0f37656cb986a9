/**
 * The front door of the engine, the loop that joins its stages, and the thread that keeps the loop
 * alive.
 *
 * <p>{@link dev.waybill.engine.Pipeline} is the loop: capture, route, publish, acknowledge. It
 * never tries anything twice. {@link dev.waybill.engine.Supervisor} owns everything that can fail:
 * it opens a producer and a capture, lets the loop run, and after any failure closes both, waits
 * and builds new ones. Nothing is ever restarted in place, because what a half-dead producer or
 * connector still holds in memory is exactly what gets lost or repeated out of order.
 *
 * <p><b>What is authoritative.</b> The progress record in Kafka alone. It is stored after the
 * events it covers and before the source may forget them, so at every moment {@code acknowledged ≤
 * progress ≤ published}. Where a crash falls decides only how much is published again:
 *
 * <table>
 * <caption>Crashes</caption>
 * <tr><th>after</th><th>next start</th></tr>
 * <tr><td>send</td><td>part of a batch is published again</td></tr>
 * <tr><td>the broker's acknowledgement</td><td>the batch is published again</td></tr>
 * <tr><td>the progress record</td><td>nothing is repeated: the log is moved up to it</td></tr>
 * <tr><td>acknowledging</td><td>nothing is repeated</td></tr>
 * <tr><td>any step of a first start</td><td>the first start begins anew: its rows are published
 * again</td></tr>
 * </table>
 *
 * <p><b>What ends an engine by itself.</b> A gap ({@link dev.waybill.engine.capture.GapException}):
 * rows may be missing and going on would hide it. Whether the log is still shown all rows is asked
 * at each start and, at the rhythm of {@code supervisor.measure-every}, while it is read; nothing
 * but asking tells. An event that cannot be published under {@code source.on-unpublishable: stop}.
 * A source that is set up wrongly, as long as this engine has never streamed: whoever starts it is
 * looking. Later the same finding is waited for, since whoever changes the database back should not
 * have to know that an engine needs starting. An {@link java.lang.Error}: the JVM is in doubt.
 * Everything else is waited for, however long it takes.
 */
@NullMarked
package dev.waybill.engine;

import org.jspecify.annotations.NullMarked;
