package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresCaptureEndTest extends CaptureEndContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.create();
  }

  @Override
  DatabaseServer startServer() {
    return PostgresServer.builder(16).setting("fsync", "on").start();
  }

  /** The server was put back to an older copy: what it had committed since is unknown to it. */
  @Test
  void a_position_beyond_the_servers_log_is_a_gap() throws Exception {
    try (Outbox outbox = create()) {
      outbox.begin();
      String beyond = outbox.query("SELECT pg_current_wal_flush_lsn() + 100000000").get(0);
      Position position = PostgresPosition.at(PostgresPosition.parseLsn(beyond));
      assertThatThrownBy(() -> Reading.of(outbox, position))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("older copy")
          .hasMessageContaining(beyond);
      assertThatThrownBy(() -> outbox.source().requireLog(position))
          .isInstanceOf(GapException.class);
    }
  }

  @Test
  void c30_a_missing_slot_is_a_gap_that_names_what_to_do() throws Exception {
    try (Outbox outbox = create()) {
      Position position;
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        outbox.insert("warm");
        reading.awaitEventIds(1);
        position = reading.position();
      }
      dropSlot(outbox);
      outbox.insert("gap");
      assertThatThrownBy(() -> Reading.of(outbox, position))
          .isInstanceOf(GapException.class)
          .hasMessageContaining(outbox.slot() + " does not exist")
          .hasMessageContaining("waybill." + outbox.config().engine() + ".progress");
      assertThat(
              outbox.query(
                  "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"))
          .isEmpty();
    }
  }

  @Test
  void c30_a_slot_that_was_made_anew_is_a_gap() throws Exception {
    try (Outbox outbox = create()) {
      Position start = outbox.begin();
      dropSlot(outbox);
      outbox.insert("gap");
      outbox.query(
          "SELECT pg_create_logical_replication_slot('" + outbox.slot() + "', 'pgoutput')");
      assertThatThrownBy(() -> Reading.of(outbox, start))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("was moved to");
    }
  }

  private static void dropSlot(Outbox outbox) throws Exception {
    try (Connection connection = outbox.connect()) {
      PostgresSlot slot = PostgresSlot.find(connection, outbox.slot());
      assertThat(slot).isNotNull();
      await().atMost(Reading.PATIENCE).until(() -> slot.free(connection));
      slot.drop(connection);
    }
  }

  @Test
  void c32_an_invalidated_slot_is_a_gap() throws Exception {
    try (PostgresServer server =
            PostgresServer.builder(16)
                .setting("max_slot_wal_keep_size", "1MB")
                .setting("min_wal_size", "32MB")
                .setting("max_wal_size", "32MB")
                .start();
        Outbox outbox = Outbox.create(server, Outbox.PACE)) {
      Position start = outbox.begin();
      for (int i = 0; i < 4; i++) {
        outbox.query("SELECT pg_switch_wal()");
        outbox.execute(
            "CREATE TABLE fill_" + i + " AS SELECT generate_series(1, 100000)", "CHECKPOINT");
      }
      assertThatThrownBy(() -> Reading.of(outbox, start))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("lost");
    }
  }
}
