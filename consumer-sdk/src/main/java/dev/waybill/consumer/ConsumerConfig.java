package dev.waybill.consumer;

import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.BackOff;
import dev.waybill.consumer.handle.Handlers;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.consumer.poll.Subscription;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** All that a consumer was told. */
record ConsumerConfig(
    Subscription subscription,
    DataSource dataSource,
    Guard guard,
    Handlers handlers,
    Failing failing,
    Pace pace,
    List<ConsumerListener> listeners) {

  ConsumerConfig {
    listeners = List.copyOf(listeners);
  }

  String group() {
    return subscription.group();
  }

  /**
   * What follows a failure.
   *
   * @param retry for the handler's own failures
   * @param outage while database or broker are away
   * @param conflicts how often a transaction that lost against another one is repeated at once,
   *     before that counts as a failure
   * @param parkTimeout how long the broker may take for a parked event
   */
  record Failing(RetryPolicy retry, BackOff outage, int conflicts, Duration parkTimeout) {}

  /**
   * How much at once, and how long to wait.
   *
   * @param workers partitions that are handled at the same time
   * @param queuedEvents per partition, beyond which it is held
   * @param queuedBytes of all partitions, beyond which all are held that have something to do
   * @param commitInterval between two commits of offsets
   * @param revokeTimeout for a running handler when its partition is taken away
   * @param closeTimeout for running handlers at the end
   * @param stuckAfter a handler runs too long
   */
  record Pace(
      int workers,
      int queuedEvents,
      long queuedBytes,
      Duration commitInterval,
      Duration revokeTimeout,
      Duration closeTimeout,
      Duration stuckAfter) {}
}
