package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySqlServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Another server takes the place of the one that was read: it has the same transactions, in another
 * log, where the rows of a transaction are cut into other events.
 */
class FailOverOnMySqlTest extends OnMySql {

  private static final MySqlServer DATABASE = MySqlServer.builder().start();
  private static final MySqlServer REPLICA =
      MySqlServer.builder().setting("binlog_row_event_max_size", "256").start();

  FailOverOnMySqlTest() {
    super(World.on(DATABASE, Servers.broker()).with("source.batch-size", "10"));
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    REPLICA.close();
  }

  @Test
  void c46InTheMiddleOfATransactionNothingIsLost() throws SQLException {
    follow();
    publishAndClose(event("warm", "a"));
    List<String> ids = new ArrayList<>(List.of("warm"));
    ids.addAll(append("first-", 300));
    try (EngineProcess engine = EngineProcess.haltingAt(world, Point.PROGRESS_STORED, 9)) {
      engine.awaitHalt();
    }
    ids.addAll(append("second-", 30));
    awaitCaughtUp();
    replica().execute("STOP REPLICA", "RESET REPLICA ALL");
    append(replica(), "elsewhere-", 20, ids);

    world.with("source.url", replica().jdbcUrl());
    try (Engine engine = streaming()) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInSameThread()
          .until(() -> firsts().size() >= ids.size());
      assertThat(firsts()).containsExactlyElementsOf(ids);
      engine.assertStreaming();
    }
  }

  private void follow() throws SQLException {
    world.execute(
        "CREATE USER replica IDENTIFIED BY 'replica'", "GRANT REPLICATION SLAVE ON *.* TO replica");
    new Database("mysql", REPLICA.jdbcUrl("mysql"), REPLICA.user(), REPLICA.password())
        .execute(
            "RESET MASTER",
            "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = "
                + DATABASE.port()
                + ", SOURCE_USER = 'replica', SOURCE_PASSWORD = 'replica',"
                + " SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1",
            "START REPLICA");
  }

  private void awaitCaughtUp() throws SQLException {
    replica().execute("DO WAIT_FOR_EXECUTED_GTID_SET('" + world.logEnd() + "', 60)");
  }

  /** The world's database, on the other server. */
  private Database replica() {
    return new Database(
        world.database().name(),
        REPLICA.jdbcUrl(world.database().name()),
        REPLICA.user(),
        REPLICA.password());
  }

  private List<String> append(String prefix, int count) throws SQLException {
    List<String> ids = new ArrayList<>();
    append(world.database(), prefix, count, ids);
    return ids;
  }

  private void append(Database database, String prefix, int count, List<String> ids)
      throws SQLException {
    List<OutboxEvent> events =
        IntStream.range(0, count).mapToObj(i -> event(prefix + i, "a")).toList();
    try (var connection = database.connect()) {
      connection.setAutoCommit(false);
      world.outbox().append(connection, events);
      connection.commit();
    }
    events.forEach(event -> ids.add(event.eventId()));
  }
}
