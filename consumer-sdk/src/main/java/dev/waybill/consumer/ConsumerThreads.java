package dev.waybill.consumer;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of one consumer: one polls, the others work. Safe for many threads. */
final class ConsumerThreads implements ThreadFactory {

  private final String group;
  private final AtomicInteger workers = new AtomicInteger();

  ConsumerThreads(String group) {
    this.group = group;
  }

  /** Not a thread that a handler has started: that one may wait for us. */
  private static final class Own extends Thread {

    private final ConsumerThreads owner;

    Own(ConsumerThreads owner, Runnable work, String name) {
      super(work, name);
      this.owner = owner;
    }
  }

  @Override
  public Thread newThread(Runnable work) {
    return new Own(this, work, "waybill-" + group + "-worker-" + workers.incrementAndGet());
  }

  Thread newPoller(Runnable work) {
    return new Own(this, work, "waybill-" + group + "-poll");
  }

  /** Whether the caller is one of them. */
  boolean includeCaller() {
    return Thread.currentThread() instanceof Own own && own.owner == this;
  }
}
