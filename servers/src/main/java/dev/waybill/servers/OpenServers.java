package dev.waybill.servers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What has to be closed when the JVM exits and nobody did. Safe for use by many threads. */
final class OpenServers {

  private static final Set<Runnable> CLOSERS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(OpenServers::closeAll, "close-servers"));
  }

  private OpenServers() {}

  static void add(Runnable closer) {
    CLOSERS.add(closer);
  }

  static void remove(Runnable closer) {
    CLOSERS.remove(closer);
  }

  private static void closeAll() {
    CLOSERS.forEach(Runnable::run);
  }
}
