package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.load.Audit;
import dev.waybill.it.load.MixedLoad;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions of many rows, plain and compressed, in which the engine is killed again and again:
 * the rows of a compressed one share their place in the log.
 */
class TransactionShapesOnMySqlTest extends OnMySql {

  private static final DatabaseServer DATABASE = MySqlServer.builder().start();
  private static final int KILLS = 2;

  TransactionShapesOnMySqlTest() {
    super(World.on(DATABASE, Servers.broker()));
  }

  @AfterAll
  static void closeServer() {
    DATABASE.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"OFF", "ON"})
  void transactionsOf300RowsAmongSmallOnes(String compression) throws SQLException {
    world.with("source.batch-size", "32");
    publishAndClose(event("warm", "a"));
    compress(compression);
    List<String> ids = new ArrayList<>(List.of("warm"));
    for (int i = 0; i < 4; i++) {
      ids.addAll(appendMany("large-" + i + "-", 300));
      ids.addAll(appendMany("small-" + i + "-", 1));
    }
    killInBetween(7);

    assertPublished(ids);
  }

  /** Over 16 MB, more than one packet of the protocol, before and behind the compression. */
  @Test
  void c15ACompressedTransactionOfMoreThan16Megabytes() throws SQLException {
    world.with("source.batch-size", "8").with("source.queue-size", "16");
    publishAndClose(event("warm", "a"));
    compress("ON");
    List<String> ids = new ArrayList<>(List.of("warm"));
    ids.addAll(appendLarge(130, 300_000));
    ids.addAll(appendMany("after-", 1));
    killInBetween(5);

    assertPublished(ids);
  }

  @Test
  void everyKindOfTransactionCompressed() throws SQLException {
    compress("ON");
    try (Engine engine = streaming()) {
      MixedLoad.writeAll(world, ledger, "w", 5, 61);

      Audit audit = Audit.await(ledger, world.topics());

      audit.assertAll();
      audit.assertNoRepeats();
      engine.assertStreaming();
    }
  }

  /** Waits until each of several engines has halted after some batches. */
  private void killInBetween(int batches) {
    for (int i = 0; i < KILLS; i++) {
      Point point = i % 2 == 0 ? Point.PROGRESS_STORED : Point.PUBLISHED;
      try (EngineProcess engine = EngineProcess.haltingAt(world, point, batches)) {
        engine.awaitHalt();
      }
    }
  }

  private void assertPublished(List<String> ids) {
    try (Engine engine = streaming()) {
      world.awaitPublished(ids.size());
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInSameThread()
          .until(() -> firsts().contains(ids.get(ids.size() - 1)));
      assertThat(firsts()).containsExactlyElementsOf(ids);
      engine.assertStreaming();
    }
  }

  private static void compress(String onOrOff) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            DATABASE.jdbcUrl("mysql"), DATABASE.user(), DATABASE.password())) {
      try (var statement = connection.createStatement()) {
        statement.execute("SET GLOBAL binlog_transaction_compression = " + onOrOff);
      }
    }
  }

  private List<String> appendMany(String prefix, int count) throws SQLException {
    List<OutboxEvent> events =
        IntStream.range(0, count).mapToObj(i -> event(prefix + i, "a")).toList();
    world.append(events.toArray(OutboxEvent[]::new));
    return events.stream().map(OutboxEvent::eventId).toList();
  }

  /** Random digits, of which compression leaves half. */
  private List<String> appendLarge(int count, int size) throws SQLException {
    Random random = new Random(16);
    List<OutboxEvent> events = new ArrayList<>();
    byte[] bytes = new byte[size / 2];
    for (int i = 0; i < count; i++) {
      random.nextBytes(bytes);
      events.add(
          OutboxEvent.builder("order", "a", "OrderChanged")
              .eventId("large-" + i)
              .json('"' + HexFormat.of().formatHex(bytes) + '"')
              .build());
    }
    world.append(events.toArray(OutboxEvent[]::new));
    return events.stream().map(OutboxEvent::eventId).toList();
  }
}
