package dev.waybill.consumer;

import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.BackOff;
import dev.waybill.consumer.handle.EventHandler;
import dev.waybill.consumer.handle.PayloadDecoder;
import dev.waybill.consumer.handle.PayloadHandler;
import dev.waybill.consumer.handle.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Lets each event take effect once for its group: the handler's writes and the guard's row are one
 * database transaction, and the offset is committed after it.
 *
 * <p>Safe for many threads. Handlers run on threads of the consumer.
 */
public interface EventConsumer extends AutoCloseable {

  /**
   * Begins a consumer.
   *
   * @param group the consumer group, whose name is part of the names of its park topics and of the
   *     guard's keys: a group that is renamed handles everything again
   */
  static Builder builder(String group) {
    return new EventConsumerBuilder(group);
  }

  /**
   * Joins the group and begins; returns at once. A broker or database that is away is waited for.
   *
   * @throws IllegalStateException unless this is the first call and {@link #close} was not called
   */
  void start();

  ConsumerState state();

  /**
   * Starts nothing new, waits for running handlers up to {@code closeTimeout}, commits the offsets
   * of what is done, leaves the group, and interrupts handlers that still run. Idempotent, legal
   * before {@link #start}; called by a handler or listener it does not wait. An interrupt ends the
   * waiting and stays set.
   */
  @Override
  void close();

  /**
   * What a consumer is told; the order of calls does not matter, objects given are not changed.
   * Confined to one thread.
   */
  interface Builder {

    /** The topics to read. Required. A topic that does not exist yet is waited for. */
    Builder topics(String... topics);

    /**
     * Settings of the Kafka consumer; {@code bootstrap.servers} is required. Park topics are
     * reached with the same settings. Reads {@code read_committed} and from {@code earliest} unless
     * told otherwise here.
     */
    Builder kafka(Map<?, ?> settings);

    /** The database of the handlers and of the guard's tables. Required. */
    Builder dataSource(DataSource dataSource);

    /** How repeated events are told from new ones; {@link Guard#inbox()} if not given. */
    Builder guard(Guard guard);

    /**
     * Who takes the events of a type.
     *
     * @param type an event type, or the beginning of some with a {@code *} behind it; the longest
     *     that fits wins. Events that nobody takes are ignored
     */
    Builder on(String type, EventHandler handler);

    /** Who takes the events of a type, its payload decoded. */
    <T> Builder on(String type, Class<T> payload, PayloadHandler<? super T> handler);

    /** Who takes the events that no other handler takes: {@code on("*", handler)}. */
    Builder onAny(EventHandler handler);

    /** How payloads are decoded; Jackson 2 if that is on the class path and nothing is given. */
    Builder decoder(PayloadDecoder decoder);

    /** When to try again; {@link RetryPolicy#standard()} if not given. */
    Builder retry(RetryPolicy policy);

    /** Adds a listener. */
    Builder listener(ConsumerListener listener);

    /**
     * How many partitions are handled at the same time, each on one connection; 4 if not given.
     * With 1, handlers need not be safe for several threads.
     */
    Builder workers(int count);

    /**
     * What is read ahead.
     *
     * @param events per partition; 500 if not given
     * @param bytes of all partitions together; 64 MB if not given. One poll can exceed it
     */
    Builder readAhead(int events, long bytes);

    /** How often offsets are committed; every second if not given. */
    Builder commitInterval(Duration interval);

    /**
     * How long a rebalance waits for running handlers; 10 s if not given. Must be shorter than
     * {@code max.poll.interval.ms}. Afterwards the next owner waits at the guard's row.
     */
    Builder revokeTimeout(Duration timeout);

    /** How long {@link EventConsumer#close} waits for running handlers; 10 s if not given. */
    Builder closeTimeout(Duration timeout);

    /** When a running handler is reported; 1 min if not given. */
    Builder stuckAfter(Duration duration);

    /** How to wait while database or broker are away; 0.2 s to 10 s if not given. */
    Builder outageBackOff(BackOff backOff);

    /** How long the broker may take to park an event; 30 s if not given. */
    Builder parkTimeout(Duration timeout);

    /**
     * Asks no server.
     *
     * @throws IllegalArgumentException that names everything that is missing or wrong
     */
    EventConsumer build();
  }
}
