package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MySqlServerTest {

  private static final int ACCESS_DENIED = 1045;

  @Test
  void isSetUpForReadersOfTheBinaryLog() throws SQLException {
    try (MySqlServer server = MySqlServer.builder().start()) {
      Database database = server.createDatabase();

      assertThat(
              query(
                  database,
                  """
                  SELECT concat_ws(' ', version(), @@log_bin, @@binlog_format, @@binlog_row_image,
                      @@gtid_mode, @@enforce_gtid_consistency, @@time_zone, @@character_set_database)
                  """))
          .isEqualTo("8.0.31 1 ROW FULL ON ON +00:00 utf8mb4");
      assertThat(query(database, "SELECT @@gtid_executed"))
          .isEqualTo(query(database, "SELECT @@server_uuid") + ":1");
    }
  }

  @Test
  void everyServerIsAnotherOne() throws SQLException {
    try (MySqlServer one = MySqlServer.builder().start();
        MySqlServer other = MySqlServer.builder().start()) {
      String identity = "SELECT concat(@@server_uuid, ' ', @@server_id)";

      assertThat(query(one.createDatabase(), identity))
          .isNotEqualTo(query(other.createDatabase(), identity));
      assertThat(query(one.createDatabase(), "SELECT @@server_uuid"))
          .isNotEqualTo(query(other.createDatabase(), "SELECT @@server_uuid"));
    }
  }

  @Test
  void keepsPortAndDataThroughEveryKindOfEnd() throws SQLException {
    try (MySqlServer server =
        MySqlServer.builder().setting("binlog_row_metadata", "FULL").start()) {
      Database database = server.createDatabase();
      database.execute(
          "CREATE TABLE seen (id INT AUTO_INCREMENT PRIMARY KEY, how VARCHAR(20))",
          "INSERT INTO seen (how) VALUES ('before')");
      String identity = query(database, "SELECT @@server_uuid");

      server.stop();
      assertThat(server.isRunning()).isFalse();
      assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
      server.start();
      database.execute("INSERT INTO seen (how) VALUES ('stopped')");
      server.kill();
      server.start();

      assertThat(query(database, "SELECT group_concat(how ORDER BY id SEPARATOR ', ') FROM seen"))
          .isEqualTo("before, stopped");
      assertThat(query(database, "SELECT @@server_uuid")).isEqualTo(identity);
      assertThat(query(database, "SELECT @@binlog_row_metadata")).isEqualTo("FULL");
      assertThat(query(database, "SELECT @@gtid_executed")).isEqualTo(identity + ":1-4");
    }
  }

  @Test
  void checksPasswordsAndOffersTls() throws SQLException {
    try (MySqlServer server = MySqlServer.builder().start()) {
      Database database = server.createDatabase();

      assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "root", "wrong"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(ACCESS_DENIED));
      assertThat(
              query(
                  database,
                  """
                  SELECT variable_value FROM performance_schema.session_status
                  WHERE variable_name = 'Ssl_version'
                  """))
          .startsWith("TLS");
    }
  }

  @Test
  void failsWithItsLogIfASettingIsWrong() {
    assertThatThrownBy(() -> MySqlServer.builder().setting("binlog_format", "none").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("binlog_format");
  }

  @Test
  void leavesNothingBehind() {
    MySqlServer server = MySqlServer.builder().start();
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();

    server.close();
    server.close();

    assertThat(process.isAlive()).isFalse();
    assertThat(server.log().getParent()).doesNotExist();
  }

  @Test
  void namesThePlatformThatThereIsNoMySqlFor() {
    assertThatThrownBy(() -> MySqlBinaries.requirePlatform("Linux", "aarch64"))
        .hasMessageContaining("no MySQL for Linux on aarch64");
    assertThatThrownBy(() -> MySqlBinaries.requirePlatform("Mac OS X", "x86_64"))
        .hasMessageContaining("no MySQL for Mac OS X on x86_64");
  }

  @Test
  void namesTheLibraryThatTheSystemLacks(@TempDir Path elsewhere) throws IOException {
    Path alone = Files.copy(mysqld(), elsewhere.resolve("mysqld"));
    assertThat(alone.toFile().setExecutable(true)).isTrue();

    assertThatThrownBy(() -> MySqlLibraries.require(alone, Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("libcrypto.so.1.1: cannot open")
        .hasMessageContaining("apt-get install libaio1t64 libnuma1");
  }

  @Test
  void takesLibaioUnderItsNewName(@TempDir Path folder) throws Exception {
    Path renamed = folder.resolve("libaio.so.1t64");
    Files.copy(loaded(Map.of(), "libaio.so.1"), renamed);

    Map<String, String> environment = MySqlLibraries.environment(folder, renamed);

    assertThat(loaded(environment, "libaio.so.1").toRealPath()).isEqualTo(renamed.toRealPath());
    assertThat(MySqlLibraries.environment(folder, folder.resolve("none"))).isEmpty();
  }

  private static Path mysqld() {
    return MySqlBinaries.folder().resolve("bin").resolve("mysqld");
  }

  /** Which file mysqld would load; ld.so lists them instead of starting the program. */
  private static Path loaded(Map<String, String> environment, String library) throws Exception {
    ProcessBuilder listing = new ProcessBuilder(mysqld().toString());
    listing.environment().put("LD_TRACE_LOADED_OBJECTS", "1");
    listing.environment().putAll(environment);
    String files =
        new String(listing.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return files
        .lines()
        .map(line -> line.strip().split(" "))
        .filter(words -> words[0].equals(library))
        .map(words -> Path.of(words[2]))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + library + " in\n" + files));
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
