package dev.waybill.servers;

import java.util.concurrent.atomic.AtomicInteger;

/** Names for databases that nobody has to remember. Safe for many threads. */
final class DatabaseNames {

  private static final AtomicInteger LAST = new AtomicInteger();

  private DatabaseNames() {}

  static String next() {
    return "db_" + LAST.incrementAndGet();
  }
}
