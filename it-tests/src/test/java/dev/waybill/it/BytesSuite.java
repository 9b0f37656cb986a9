package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadColumn;
import dev.waybill.outbox.SchemaSql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** G3: the bytes on the wire are the bytes that were inserted. */
abstract class BytesSuite {

  /** Each is a JSON text in which something is easily changed on the way. */
  private final Map<String, String> payloads = payloads();

  final World world;

  BytesSuite(World world) {
    this.world = world;
    payloads.keySet().removeAll(refused());
  }

  /** The payloads that a check of the table refuses. */
  abstract Set<String> refused();

  /** Makes the payload a column of any text. */
  abstract void allowAnyText();

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private static Map<String, String> payloads() {
    Map<String, String> payloads = new LinkedHashMap<>();
    payloads.put("plain", "{\"a\":1}");
    payloads.put("order of keys, duplicates", "{\"b\":1,\"a\":2,\"b\":3, \"aa\":4}");
    payloads.put(
        "c03 numbers",
        "{\"b\":1,\"a\":12345678901234567890123,\"a\":2.50,\"c\":1e3,\"d\":1.10,\"f\":-0.0}");
    payloads.put("integers", "[9007199254740993,18446744073709551616,12345678901234567890]");
    payloads.put("amount", "{\"amount\":199.00,\"small\":1e-7}");
    payloads.put("beyond a double", "{\"large\":1e400}");
    payloads.put("emoji", "{\"t\":\"😀é'\\\"\\\\ ß 漢字 \u202e\"}");
    payloads.put("escapes", "{\"t\":\"\\u00e9\\ud83d\\ude00\\n\\t\\/\\u0041\"}");
    payloads.put("escaped zero", "{\"t\":\"a\\u0000b\"}");
    payloads.put("lone surrogate", "{\"t\":\"\\ud83d\"}");
    payloads.put("c05 empty array", "{\"tags\":[]}");
    payloads.put("c05 mixed arrays", "{\"a\":[[],[1]],\"b\":[1,\"x\",{\"k\":null}]}");
    payloads.put("c05 null", "{\"a\":null}");
    payloads.put("c05 leading blank", "  {\"a\":1} \n");
    payloads.put("c05 scalar", "\"text\"");
    payloads.put("c07 empty object", "{}");
    payloads.put("c07 json null", "null");
    payloads.put("number", "0");
    payloads.put("deep", "[".repeat(200) + "]".repeat(200));
    payloads.put("long", "{\"t\":\"" + "é😀".repeat(50_000) + "\"}");
    return payloads;
  }

  @Test
  void c03C05C06C07JsonArrivesByteForByteFromTheLogAndFromTheTable() throws SQLException {
    insertAll("before-");
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      insertAll("after-");

      world.awaitPublished(2 * payloads.size());

      assertPayloads("before-");
      assertPayloads("after-");
      engine.assertStreaming();
    }
  }

  @Test
  void c01TheDefaultCharsetAndZoneOfTheJvmChangeNothing() throws SQLException {
    world.execute(
        """
        INSERT INTO outbox_event
          (event_id, aggregate_type, aggregate_id, event_type, event_key, payload, headers, occurred_at)
        VALUES ('x', 'order', 'ä😀', 'Grüße', 'ключ', '{"t":"é😀"}', '{"tenant":"Zoë😀"}',
                '2026-03-29 02:30:00.123456')
        """);
    insertAll("");
    try (EngineProcess engine =
        EngineProcess.start(
                world,
                "-Dfile.encoding=ISO-8859-1",
                "-Dsun.jnu.encoding=ISO-8859-1",
                "-Duser.timezone=America/New_York",
                "-Duser.language=tr",
                "-Duser.country=TR")
            .awaitState(EngineState.STREAMING)) {
      Map<String, Published> published = byId(payloads.size() + 1);

      Published record = get(published, "x");
      assertThat(record.keyText()).isEqualTo("ключ");
      assertThat(record.text()).isEqualTo("{\"t\":\"é😀\"}");
      assertThat(record.header("ce_subject")).isEqualTo("ä😀");
      assertThat(record.header("ce_type")).isEqualTo("Grüße");
      assertThat(record.header("tenant")).isEqualTo("Zoë😀");
      assertThat(record.header("ce_time")).isEqualTo("2026-03-29T02:30:00.123456Z");
      assertPayloads("");
      assertThat(engine.lines()).isNotEmpty();
    }
  }

  @Test
  void c07NullIsATombstoneWithKeyAndHeaders() throws SQLException {
    world.append(OutboxEvent.builder("order", "7", "OrderDeleted").eventId("gone").build());
    try (Engine engine = Engine.start(world)) {
      Published record = get(byId(1), "gone");

      assertThat(record.value()).isNull();
      assertThat(record.keyText()).isEqualTo("7");
      assertThat(record.header("ce_type")).isEqualTo("OrderDeleted");
      engine.assertStreaming();
    }
  }

  @Test
  void binaryPayloadsArriveByteForByte() throws SQLException {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    byte[] large = new byte[900_000];
    new SplittableRandom(5).nextBytes(large);
    try (World binary = World.empty(world.databaseServer(), world.broker())) {
      binary.executeScript(SchemaSql.outboxBinary(binary.vendor().dialect()));
      binary.grant();
      insertBinary(binary, "before", every);
      try (Engine engine = Engine.start(binary).awaitState(EngineState.STREAMING)) {
        insertBinary(binary, "every", every);
        insertBinary(binary, "large", large);
        insertBinary(binary, "empty", new byte[0]);

        Map<String, Published> published = byId(binary, 4);

        assertThat(get(published, "before").value()).isEqualTo(every);
        assertThat(get(published, "every").value()).isEqualTo(every);
        assertThat(get(published, "large").value()).isEqualTo(large);
        assertThat(get(published, "empty").value()).isNotNull().isEmpty();
        engine.assertStreaming();
      }
    }
  }

  @Test
  void c07TextColumnsKeepEmptyAndBlank() throws SQLException {
    allowAnyText();
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      world.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " VALUES ('empty', 'order', '1', 'T', ''), ('blank', 'order', '1', 'T', ' '),"
              + " ('null', 'order', '1', 'T', NULL)");

      Map<String, Published> published = byId(3);

      assertThat(get(published, "empty").value()).isNotNull().isEmpty();
      assertThat(get(published, "blank").text()).isEqualTo(" ");
      assertThat(get(published, "null").value()).isNull();
      engine.assertStreaming();
    }
  }

  private void insertAll(String prefix) throws SQLException {
    for (Map.Entry<String, String> payload : payloads.entrySet()) {
      insert(prefix + payload.getKey(), payload.getValue());
    }
  }

  /** Plain SQL: the text is the client's, whatever the library would have validated. */
  final void insert(String id, String payload) throws SQLException {
    try (Connection connection = world.database().connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type,"
                    + " payload) VALUES (?, 'order', '1', 'OrderChanged', "
                    + world.vendor().json("?")
                    + ")")) {
      insert.setString(1, id);
      insert.setString(2, payload);
      insert.executeUpdate();
    }
  }

  private static void insertBinary(World world, String id, byte[] payload) throws SQLException {
    try (Connection connection = world.begin()) {
      Outbox.builder(world.vendor().dialect())
          .payloadColumn(PayloadColumn.BINARY)
          .build()
          .append(
              connection,
              OutboxEvent.builder("order", "1", "OrderChanged")
                  .eventId(id)
                  .binary(payload)
                  .build());
      connection.commit();
    }
  }

  private void assertPayloads(String prefix) {
    Map<String, Published> published = byId(payloads.size());
    payloads.forEach(
        (name, payload) ->
            assertThat(get(published, prefix + name).value())
                .as(name)
                .isEqualTo(payload.getBytes(StandardCharsets.UTF_8)));
  }

  final Map<String, Published> byId(int count) {
    return byId(world, count);
  }

  private static Map<String, Published> byId(World world, int count) {
    Map<String, Published> published = new HashMap<>();
    world.awaitPublished(count).forEach(record -> published.put(record.id(), record));
    return published;
  }

  static Published get(Map<String, Published> published, String id) {
    Published record = published.get(id);
    if (record == null) {
      throw new AssertionError("no record with id " + id + " among " + published.keySet());
    }
    return record;
  }
}
