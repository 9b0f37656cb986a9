package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.InvalidEventException;
import dev.waybill.servers.MySqlServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What MySQL would refuse as JSON is refused before, and nothing else. */
class JsonAsMySqlReadsItTest {

  private static final String LIMITS =
      ", [12e307, 0.01e309, 1e-400, \"\\ud83d\\ude00 \\udc00\", 0e8, 100e305]";

  private static final List<String> NUMBERS =
      List.of(
          "1e308",
          "1e309",
          "-1e309",
          "1.7976931348623157e308",
          "1.8e308",
          "100e307",
          "0.1e309",
          "0.001e311",
          "0e9",
          "0e999",
          "0.0e400",
          "1e00000000000001",
          "1e0000000000000400",
          "1e+309",
          "1e-99999999999999999999",
          "1e99999999999999999999",
          "1".repeat(309),
          "2".repeat(309),
          "1" + "0".repeat(400) + "e-300",
          "0." + "0".repeat(400) + "1",
          "0." + "0".repeat(400) + "1e500",
          "18446744073709551616");

  @Test
  void agreesAboutMutatedTextsAndNumbers() throws SQLException {
    MutatedJson texts = new MutatedJson(8259, LIMITS);
    int json = 0;
    try (MySqlServer server = MySqlServer.builder().start();
        Connection connection = server.createDatabase().connect();
        PreparedStatement valid = connection.prepareStatement("SELECT JSON_VALID(?)")) {
      for (String number : NUMBERS) {
        assertAgreed(valid, number);
      }
      for (int i = 0; i < 10_000; i++) {
        json += assertAgreed(valid, texts.next()) ? 1 : 0;
      }
    }
    assertThat(json).as("texts that were JSON").isBetween(500, 9_500);
  }

  private static boolean assertAgreed(PreparedStatement valid, String text) throws SQLException {
    boolean taken = isTaken(text);
    assertThat(taken).as(text).isEqualTo(isValid(valid, text));
    return taken;
  }

  private static boolean isTaken(String text) {
    try {
      return Dialect.MYSQL.refusal(OutboxContract.event("1").json(text).build()) == null;
    } catch (InvalidEventException e) {
      return false;
    }
  }

  private static boolean isValid(PreparedStatement valid, String text) throws SQLException {
    valid.setString(1, text);
    try (ResultSet row = valid.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
