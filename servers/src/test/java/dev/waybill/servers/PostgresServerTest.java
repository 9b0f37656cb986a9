package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresServerTest {

  @ParameterizedTest
  @ValueSource(ints = {14, 16, 18})
  void runsTheVersionAskedFor(int version) throws SQLException {
    try (PostgresServer server = PostgresServer.builder(version).start()) {
      Database database = server.createDatabase();

      assertThat(query(database, "SHOW server_version")).startsWith(version + ".");
      assertThat(query(database, "SHOW wal_level")).isEqualTo("logical");
    }
  }

  @Test
  void keepsPortAndDataThroughEveryKindOfEnd() throws SQLException {
    try (PostgresServer server =
        PostgresServer.builder(18).setting("synchronous_commit", "on").start()) {
      Database database = server.createDatabase();
      database.execute("CREATE TABLE seen (how text)", "INSERT INTO seen VALUES ('before')");

      server.stop();
      assertThat(server.isRunning()).isFalse();
      assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
      server.start();
      database.execute("INSERT INTO seen VALUES ('stopped')");
      server.stopImmediately();
      server.start();
      database.execute("INSERT INTO seen VALUES ('stopped immediately')");
      server.kill();
      server.start();

      assertThat(query(database, "SELECT string_agg(how, ', ') FROM seen"))
          .isEqualTo("before, stopped, stopped immediately");
    }
  }

  @Test
  void checksPasswords() {
    try (PostgresServer server = PostgresServer.builder(18).start()) {
      assertThatThrownBy(
              () -> DriverManager.getConnection(server.jdbcUrl("postgres"), "postgres", "wrong"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }
  }

  @Test
  void failsWithItsLogIfASettingIsWrong() {
    assertThatThrownBy(() -> PostgresServer.builder(18).setting("wal_level", "none").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("wal_level");
  }

  @Test
  void leavesNothingBehind() {
    PostgresServer server = PostgresServer.builder(18).start();
    long before =
        ProcessHandle.current()
            .descendants()
            .filter(process -> process.info().command().orElse("").contains("postgres"))
            .count();
    assertThat(before).isPositive();

    server.close();
    server.close();

    assertThat(server.log().getParent())
        .satisfies(folder -> assertThat(Files.exists(folder)).isFalse());
    assertThat(
            ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").contains("postgres")))
        .isEmpty();
  }

  private static String query(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
