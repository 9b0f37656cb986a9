package dev.waybill.engine.capture;

import java.time.Duration;

/**
 * When a connection is taken for dead.
 *
 * @param silence without a record, while heartbeats should come
 * @param look how often the server is asked whether it still reads for us
 */
record Watch(Duration silence, Duration look) {

  private static final Duration LEAST_SILENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofSeconds(15);
  private static final int HEARTBEATS = 4;

  static Watch of(SourceConfig config) {
    Duration silence = config.pace().heartbeat().multipliedBy(HEARTBEATS);
    return new Watch(silence.compareTo(LEAST_SILENCE) > 0 ? silence : LEAST_SILENCE, LOOK);
  }
}
