package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresFirstStartTest extends FirstStartContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.create();
  }

  @Test
  void what_an_unfinished_first_start_left_behind_is_dropped() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.insert("a");
      outbox.source().firstStart(Rows.EXISTING).close();
      outbox.insert("b");
      try (FirstStart start = outbox.source().firstStart(Rows.EXISTING)) {
        assertThat(eventIds(readAll(start))).containsExactly("a", "b");
        assertThat(
                outbox.query(
                    "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '"
                        + outbox.slot()
                        + "'"))
            .containsExactly(((PostgresPosition) start.position()).lsnText());
      }
    }
  }

  @Test
  void the_publication_is_made_where_the_user_owns_the_table() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "DROP PUBLICATION " + outbox.slot(),
          "ALTER TABLE outbox_event OWNER TO waybill_capture",
          "GRANT CREATE ON DATABASE " + outbox.database().name() + " TO waybill_capture");
      outbox.source().inspect();
      outbox.begin();
      assertThat(
              outbox.query(
                  "SELECT pubname || pubinsert || pubupdate || pubdelete || pubtruncate || pubviaroot"
                      + " FROM pg_publication"))
          .containsExactly(outbox.slot() + "truefalsefalsefalsetrue");
      outbox.source().inspect();
    }
  }
}
