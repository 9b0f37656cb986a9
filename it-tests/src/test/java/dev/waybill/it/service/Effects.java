package dev.waybill.it.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Vendor;
import dev.waybill.it.world.World;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * The database of the services downstream, with a list of every effect. The list has no key: an
 * effect that happened twice is in it twice.
 */
public final class Effects implements AutoCloseable {

  /** On a slow machine much is changed before the services are back. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final DatabaseServer server;
  private final Database database;

  private Effects(DatabaseServer server) {
    this.server = server;
    this.database = server.createDatabase();
  }

  /** A new database with the consumer's tables and the list. */
  public static Effects on(DatabaseServer server) {
    Effects effects = new Effects(server);
    Vendor vendor = Vendor.of(server);
    effects.execute(
        SchemaSql.statements(SchemaSql.consumer(vendor.consumerDatabase())).toArray(String[]::new));
    effects.execute(
        ("CREATE TABLE effect (seq " + vendor.identity() + ", consumer_group text NOT NULL,")
            + " event_id text NOT NULL, order_id text NOT NULL, version bigint NOT NULL)");
    return effects;
  }

  Database database() {
    return database;
  }

  /** How many effects a group has had. */
  public int count(String group) {
    return rows("SELECT event_id FROM effect WHERE consumer_group = '" + group + "'").size();
  }

  /** Waits until a group has had {@code count} effects. */
  public void awaitCount(String group, int count) {
    Awaitility.await().atMost(PATIENCE).until(() -> count(group) >= count);
  }

  /** Waits until each of the world's changes had its effect in a group, then looks at all. */
  public void awaitOneEffectOfEachChange(World world, String group) {
    List<String> changes =
        rows(
            world.database(),
            "SELECT concat(event_id, ' ', order_id, ' ', version) FROM order_change"
                + " ORDER BY event_id");
    assertThat(changes).as("changes of orders").isNotEmpty();
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(effects(group)).as("effects in group %s", group).containsAll(changes));
    assertThat(effects(group))
        .as("effects in group %s, each event's once", group)
        .isEqualTo(changes);
    assertVersionsAscend(group);
  }

  private List<String> effects(String group) {
    return rows(
        "SELECT concat(event_id, ' ', order_id, ' ', version) FROM effect WHERE consumer_group = '"
            + group
            + "' ORDER BY event_id");
  }

  private void assertVersionsAscend(String group) {
    assertThat(
            rows(
                """
                SELECT concat(order_id, ': ', version, ' after ', previous) FROM (
                  SELECT order_id, version,
                         lag(version, 1, 0) OVER (PARTITION BY order_id ORDER BY seq) AS previous
                    FROM effect WHERE consumer_group = '%s') AS pairs
                 WHERE version <> previous + 1
                """
                    .formatted(group)))
        .as("effects out of order in group %s", group)
        .isEmpty();
  }

  public void execute(String... statements) {
    try {
      database.execute(statements);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column. */
  public List<String> rows(String sql) {
    return rows(database, sql);
  }

  private static List<String> rows(Database database, String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> first = new ArrayList<>();
      while (rows.next()) {
        first.add(rows.getString(1));
      }
      return first;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Drops the database. */
  @Override
  public void close() {
    try {
      Vendor.of(server).drop(server, database);
    } catch (SQLException e) {
      throw new IllegalStateException("could not drop " + database.name(), e);
    }
  }
}
