package dev.waybill.engine.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A network between a client and a server that can fall silent: bytes no longer get through, and no
 * end is told. Connections are numbered in the order they were opened.
 */
final class Wire implements AutoCloseable {

  private final ServerSocket listener;
  private final int port;
  private final List<Link> links = new ArrayList<>();

  Wire(int port) throws IOException {
    this.port = port;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Cuts the connections whose client end has this local port. */
  synchronized void silence(int clientPort) {
    links.stream().filter(link -> link.client.getPort() == clientPort).forEach(Link::silence);
  }

  /** Cuts all connections there are, but not those to come. */
  synchronized void silenceAll() {
    links.forEach(Link::silence);
  }

  /** The client's local port of the connection that the server sees come from {@code port}. */
  synchronized int clientOf(int port) {
    return links.stream()
        .filter(link -> link.server.getLocalPort() == port)
        .mapToInt(link -> link.client.getPort())
        .findFirst()
        .orElseThrow();
  }

  private void accept() {
    try {
      while (true) {
        Link link = new Link(listener.accept(), new Socket(InetAddress.getLoopbackAddress(), port));
        synchronized (this) {
          links.add(link);
        }
        link.start();
      }
    } catch (IOException e) {
      // closed
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public synchronized void close() throws IOException {
    listener.close();
    for (Link link : links) {
      link.close();
    }
  }

  private static final class Link {

    private final Socket client;
    private final Socket server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean silent;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void start() {
      daemon(() -> copy(client, server));
      daemon(() -> copy(server, client));
    }

    void silence() {
      silent = true;
    }

    private void copy(Socket from, Socket to) {
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[8_192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (!silent) {
            out.write(buffer, 0, n);
          }
        }
      } catch (IOException e) {
        // one end has gone
      }
      hangUp();
    }

    /** A silent wire does not tell that one of its ends has gone. */
    private void hangUp() {
      if (silent) {
        try {
          closed.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      close();
    }

    void close() {
      closed.countDown();
      try (client;
          server) {
        // both are closed
      } catch (IOException e) {
        // it was closed already
      }
    }
  }
}
