package dev.waybill.quickstart.service;

import java.util.concurrent.CountDownLatch;

/** Lets a service run until it is asked to end. */
public final class Signal {

  private Signal() {}

  /**
   * Returns on SIGTERM or SIGINT, and lets the JVM exit only when the calling thread has ended:
   * what it closes is closed in order.
   */
  public static void await() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    Thread service = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  asked.countDown();
                  join(service);
                },
                "shutdown"));
    asked.await();
  }

  private static void join(Thread service) {
    try {
      service.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
