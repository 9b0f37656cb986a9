package dev.waybill.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must find the same port free after a restart: below the range from which
 * Linux (32768) and macOS (49152) take the ports of outgoing connections.
 */
public final class FreePort {

  private static final int FIRST = 15_000;
  private static final int END = 32_000;

  private FreePort() {}

  /** A port on the loopback address that nobody listens on now. */
  public static int next() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("found no free port between " + FIRST + " and " + END);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
