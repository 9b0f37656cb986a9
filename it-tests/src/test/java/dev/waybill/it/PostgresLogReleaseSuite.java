package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.PostgresVendor;
import dev.waybill.it.world.World;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The slot lets the server remove WAL. */
abstract class PostgresLogReleaseSuite extends LogReleaseSuite {

  private static final long LOAD_BYTES = 50_000_000;
  private static final long LAG_BYTES = 1_000_000;

  PostgresLogReleaseSuite(World world) {
    super(world);
  }

  @Override
  void assertMuchIsWrittenSince(String place) {
    assertThat(world.count("SELECT pg_current_wal_insert_lsn() - '" + place + "'::pg_lsn"))
        .as("bytes of log written")
        .isGreaterThan(LOAD_BYTES);
  }

  @Override
  void awaitReleased() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(retained("confirmed_flush_lsn")).isLessThan(LAG_BYTES);
              assertThat(retained("restart_lsn")).isLessThan(LOAD_BYTES / 3);
            });
  }

  private long retained(String place) {
    return world.count(
        ("SELECT pg_current_wal_insert_lsn() - " + place + " FROM pg_replication_slots")
            + (" WHERE slot_name = '" + PostgresVendor.slot(world) + "'"));
  }
}
