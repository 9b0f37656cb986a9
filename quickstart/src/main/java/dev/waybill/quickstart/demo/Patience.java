package dev.waybill.quickstart.demo;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Trying again what fails only because somebody has just killed a process. */
final class Patience {

  private static final int ATTEMPTS = 120;
  private static final long PAUSE_MILLIS = 500;
  private static final int STARTS = 3;

  private Patience() {}

  /** Something to do that may fail while the database is away. */
  interface Work<T> {
    T run() throws Exception;
  }

  static <T> T withDatabase(Work<T> work) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.run();
      } catch (SQLException | IllegalStateException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  /** A new server, which may be killed before it is ready. */
  static <T> T start(Supplier<T> server) {
    for (int attempt = 1; ; attempt++) {
      try {
        return server.get();
      } catch (IllegalStateException e) {
        if (attempt == STARTS) {
          throw e;
        }
      }
    }
  }
}
