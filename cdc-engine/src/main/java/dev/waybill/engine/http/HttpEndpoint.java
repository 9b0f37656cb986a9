package dev.waybill.engine.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.engine.settings.ConfigurationException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A server of a few pages, each made anew at every request. Answers GET and HEAD in two threads of
 * its own.
 */
public final class HttpEndpoint implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads;

  /**
   * Starts serving.
   *
   * @param pages from a path to what makes its answer; called in the server's threads
   * @throws ConfigurationException naming the address, if it cannot be listened on
   */
  public HttpEndpoint(HttpConfig config, Map<String, Supplier<Answer>> pages) {
    InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
    this.server = listen(address);
    this.threads = Executors.newFixedThreadPool(2, HttpEndpoint::thread);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, pages));
    server.start();
  }

  /** Where it listens, with the real port. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Stops at once, in the middle of an answer if need be. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static HttpServer listen(InetSocketAddress address) {
    try {
      return HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new ConfigurationException(
          List.of(
              "http.host, http.port: health and metrics cannot be served on "
                  + address
                  + ": "
                  + e.getMessage()
                  + ". Choose another port, 0 for any free one, or set http.enabled: false"));
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "waybill-http");
    thread.setDaemon(true);
    return thread;
  }

  private static void answer(HttpExchange exchange, Map<String, Supplier<Answer>> pages)
      throws IOException {
    try (exchange) {
      Supplier<Answer> page = pages.get(exchange.getRequestURI().getPath());
      String method = exchange.getRequestMethod();
      if (page == null) {
        send(exchange, Answer.text(404, "Pages: " + String.join(" ", pages.keySet()) + "\n"));
      } else if (method.equals("GET") || method.equals("HEAD")) {
        send(exchange, page.get());
      } else {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, Answer.text(405, "Only GET and HEAD.\n"));
      }
    }
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.contentType());
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(answer.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(answer.status(), body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** One page. */
  public record Answer(int status, String contentType, String body) {

    public static Answer text(int status, String body) {
      return new Answer(status, "text/plain; charset=utf-8", body);
    }

    public static Answer json(int status, String body) {
      return new Answer(status, "application/json", body);
    }
  }
}
