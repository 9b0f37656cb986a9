package dev.waybill.consumer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Told once that all is to end; whoever pauses then goes on at once. Safe for many threads. */
final class StopSignal {

  private final CountDownLatch given = new CountDownLatch(1);

  void give() {
    given.countDown();
  }

  boolean isGiven() {
    return given.getCount() == 0;
  }

  /** Pauses for that time, or until the signal is given. */
  void await(Duration time) throws InterruptedException {
    boolean ignored = given.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }
}
