/**
 * Real servers, started from Maven artifacts on this machine: PostgreSQL, MySQL, a Kafka broker,
 * and child JVMs for whatever a test or the demo wants to kill. No container engine is needed.
 *
 * <p>Each server is a process of its own on 127.0.0.1, with its files in a folder of its own under
 * {@code java.io.tmpdir}. It keeps port and data when it is stopped or killed and started again;
 * {@link dev.waybill.servers.Server#close()} ends it and deletes everything.
 *
 * <p>No process outlives the JVM that started it. Three things see to that: {@code close()}, a
 * shutdown hook for JVMs that end without it, and a {@linkplain dev.waybill.servers.Leash leash}
 * for JVMs that are killed.
 *
 * <p>{@link dev.waybill.servers.DatabaseServer} and {@link dev.waybill.servers.BrokerServer} are
 * what tests should ask for: other ways of running the same servers, such as containers, implement
 * them too.
 */
@NullMarked
package dev.waybill.servers;

import org.jspecify.annotations.NullMarked;
