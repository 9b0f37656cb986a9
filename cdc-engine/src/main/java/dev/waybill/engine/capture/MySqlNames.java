package dev.waybill.engine.capture;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * What an engine's name becomes on the server and in Debezium.
 *
 * @param serverId under which the server knows the reader of its log; of two readers with one id it
 *     ends the older
 */
record MySqlNames(String engine, long serverId) {

  private static final String PREFIX = "waybill_";

  /** The upper half of all ids: people count theirs from 1. */
  private static final long DERIVED = 0x8000_0000L;

  static MySqlNames of(SourceConfig config) {
    Long chosen = config.login().serverId();
    return new MySqlNames(config.engine(), chosen == null ? derivedId(config.engine()) : chosen);
  }

  private static long derivedId(String engine) {
    CRC32 checksum = new CRC32();
    checksum.update((PREFIX + engine).getBytes(StandardCharsets.UTF_8));
    return DERIVED | checksum.getValue();
  }

  /** The name of one reading of the log, as {@link PostgresNames#topicPrefix}. */
  String topicPrefix(int reading) {
    return PREFIX + engine + "-" + reading;
  }
}
