package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.InvalidEventException;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What counts as JSON for an event is what counts as JSON for the server. */
class JsonAsPostgresReadsItTest {

  private static final String SEED =
      "{\"a\": [1, -0.5e+3, \"x\\u00e9\\n\\\"\", true, null, {}], \"b\" :{\"c\":[[]]}}";
  private static final String MATERIAL = SEED + "\\\\\"\"{}[],:.-+0123eEtfnux \t\n\u0001\u000bé";

  @Test
  void agreesAboutMutatedTexts() throws SQLException {
    Random random = new Random(8259);
    int json = 0;
    try (PostgresServer server = PostgresServer.builder(18).start();
        Connection connection = server.createDatabase().connect();
        PreparedStatement cast = connection.prepareStatement("SELECT ?::text::json")) {
      for (int i = 0; i < 10_000; i++) {
        String text = mutated(random);
        boolean taken = isTaken(text);
        assertThat(taken).as(text).isEqualTo(isCast(cast, text));
        json += taken ? 1 : 0;
      }
    }
    assertThat(json).as("texts that were JSON").isBetween(500, 9_500);
  }

  private static String mutated(Random random) {
    StringBuilder text = new StringBuilder(SEED);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(text.length());
      String piece = String.valueOf(MATERIAL.charAt(random.nextInt(MATERIAL.length())));
      switch (random.nextInt(3)) {
        case 0 -> text.insert(at, piece);
        case 1 -> text.deleteCharAt(at);
        default -> text.replace(at, at + 1, piece);
      }
    }
    return text.toString();
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
