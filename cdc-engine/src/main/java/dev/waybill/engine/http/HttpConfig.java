package dev.waybill.engine.http;

import java.util.Objects;

/**
 * Where health and metrics are served.
 *
 * @param enabled false serves nothing
 * @param host the address to listen on; the default can be reached from this machine only
 * @param port 0 for any free one
 */
public record HttpConfig(boolean enabled, String host, int port) {

  public HttpConfig {
    Objects.requireNonNull(host, "host");
  }
}
