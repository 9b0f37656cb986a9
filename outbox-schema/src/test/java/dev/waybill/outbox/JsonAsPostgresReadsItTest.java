package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.InvalidEventException;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What counts as JSON for an event is what counts as JSON for the server. */
class JsonAsPostgresReadsItTest {

  @Test
  void agreesAboutMutatedTexts() throws SQLException {
    MutatedJson texts = new MutatedJson(8259, "");
    int json = 0;
    try (PostgresServer server = PostgresServer.builder(18).start();
        Connection connection = server.createDatabase().connect();
        PreparedStatement cast = connection.prepareStatement("SELECT ?::text::json")) {
      for (int i = 0; i < 10_000; i++) {
        String text = texts.next();
        boolean taken = isTaken(text);
        assertThat(taken).as(text).isEqualTo(isCast(cast, text));
        json += taken ? 1 : 0;
      }
    }
    assertThat(json).as("texts that were JSON").isBetween(500, 9_500);
  }

  private static boolean isTaken(String text) {
    try {
      OutboxContract.event("1").json(text).build();
      return true;
    } catch (InvalidEventException e) {
      return false;
    }
  }

  private static boolean isCast(PreparedStatement cast, String text) throws SQLException {
    cast.setString(1, text);
    try {
      return cast.execute();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("22P02");
      return false;
    }
  }
}
