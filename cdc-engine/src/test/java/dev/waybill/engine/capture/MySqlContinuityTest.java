package dev.waybill.engine.capture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySqlServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that does not go on where the position ends is a gap, and nothing else is. */
class MySqlContinuityTest {

  private static MySqlServer server;
  private Outbox outbox;

  @BeforeAll
  static void startServer() {
    server = MySqlServer.builder().start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void create() throws SQLException {
    outbox = Outbox.create(server, Outbox.PACE);
  }

  @AfterEach
  void close() throws SQLException {
    outbox.close();
  }

  /** Where a reading stands once it has seen all there is. */
  private MySqlPosition readAll(Position start) throws SQLException {
    GtidSet all = GtidSet.parse(outbox.query("SELECT @@GLOBAL.gtid_executed").get(0));
    try (Reading reading = Reading.of(outbox, start)) {
      await()
          .atMost(Reading.PATIENCE)
          .until(
              () ->
                  ((MySqlPosition) reading.position()).gtids().containsAll(all)
                      || reading.capture().awaitEnd(Duration.ZERO));
      return (MySqlPosition) reading.position();
    }
  }

  private void insert(int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      outbox.insert("event-" + System.nanoTime());
    }
  }

  private String lastFile() throws SQLException {
    List<String> files = outbox.query("SHOW BINARY LOGS");
    return files.get(files.size() - 1);
  }

  private void requireGap(Position position, String... parts) {
    assertThatThrownBy(() -> outbox.source().requireLog(position))
        .isInstanceOf(GapException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("delete the topic waybill." + outbox.config().engine());
    assertThatThrownBy(() -> Reading.of(outbox, position)).isInstanceOf(GapException.class);
  }

  @Test
  void log_that_was_removed_is_a_gap_if_it_was_not_read() throws Exception {
    Position begin = outbox.begin();
    insert(3);
    outbox.execute("FLUSH BINARY LOGS");
    insert(1);
    Position end = readAll(begin);
    String current = lastFile();
    outbox.execute("PURGE BINARY LOGS TO '" + current + "'");
    assertThatCode(() -> outbox.source().requireLog(end)).doesNotThrowAnyException();
    requireGap(begin, "has removed log that was not read yet", ":");
  }

  @Test
  void a_log_that_was_read_to_its_end_may_be_removed_whole() throws Exception {
    insert(2);
    MySqlPosition end = readAll(outbox.begin());
    outbox.execute("FLUSH BINARY LOGS", "FLUSH BINARY LOGS");
    String current = lastFile();
    outbox.execute("PURGE BINARY LOGS TO '" + current + "'");
    outbox.source().requireLog(end);
    insert(1);
    assertThat(readAll(end).gtids().containsAll(end.gtids())).isTrue();
  }

  /** The reader has had them; what this source knows of comes with the next heartbeat. */
  @Test
  void log_that_is_removed_while_it_is_read_is_none() throws Exception {
    Source source = outbox.source();
    try (FirstStart start = source.firstStart(FirstStart.Rows.NONE)) {
      outbox.execute("CREATE TABLE other (i INT)", "FLUSH BINARY LOGS");
      String current = lastFile();
      outbox.execute("PURGE BINARY LOGS TO '" + current + "'");
      assertThatCode(source::inspectWhileCapturing).doesNotThrowAnyException();
      requireGap(start.position(), "has removed log that was not read yet");
    }
  }

  /** As where a commit waits for a semi-synchronous replica: it was sent to us before. */
  @Test
  void a_transaction_that_is_logged_and_not_committed_is_waited_for() throws Exception {
    insert(1);
    MySqlPosition end = readAll(outbox.begin());
    long last = Long.parseLong(end.gtids().toString().replaceFirst("^.*[:-]", ""));
    MySqlPosition ahead =
        new MySqlPosition(
            end.gtids().add(end.serverUuid() + ":" + (last + 1)),
            null,
            end.serverUuid(),
            end.place(),
            end.columns());
    assertThatThrownBy(() -> outbox.source().requireLog(ahead))
        .isInstanceOf(SourceUnavailableException.class)
        .hasMessageContaining(":" + (last + 1) + " to its log and not committed it yet");
    insert(1);
    outbox.source().requireLog(ahead);
  }

  @Test
  void a_log_that_was_reset_is_a_gap_however_far_it_has_come_again() throws Exception {
    outbox.execute("RESET MASTER");
    insert(20);
    MySqlPosition end = readAll(outbox.begin());
    outbox.execute("RESET MASTER");
    // As many transactions, but smaller ones.
    for (int i = 0; i < 32; i++) {
      outbox.execute("CREATE TABLE IF NOT EXISTS x (i INT)");
    }
    String executed = outbox.query("SELECT @@GLOBAL.gtid_executed").get(0);
    assertThat(GtidSet.parse(executed).containsAll(end.gtids())).isTrue();
    requireGap(end, "ends at", "was reset");
    insert(60);
    requireGap(end, "has no event there", "was reset");
  }

  /** The server shows no event that is larger than a packet may be. */
  @Test
  void within_a_large_compressed_transaction_the_gap_says_what_opens_the_log() throws Exception {
    outbox.execute("SET GLOBAL max_allowed_packet = 4194304");
    try (Outbox narrow = Outbox.create(server, RestartContract.batchesOf(2))) {
      Position begin = narrow.begin();
      narrow.insert("before");
      insertCompressed(narrow, "a", "b", "c", "d", "e");
      RecordingHandler first = RestartContract.readUntilStopped(narrow, begin, 2);
      assertThatThrownBy(() -> narrow.source().requireLog(first.position()))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("SET GLOBAL max_allowed_packet = 1073741824");
      narrow.execute("SET GLOBAL max_allowed_packet = 1073741824");
      try (Reading second = Reading.of(narrow, first.position())) {
        List<String> all = List.of("before", "a", "b", "c", "d", "e");
        int before = first.changes().size();
        assertThat(second.awaitEventIds(all.size() - before))
            .isEqualTo(all.subList(before, all.size()));
      }
    } finally {
      outbox.execute("SET GLOBAL max_allowed_packet = DEFAULT");
    }
  }

  /** Megabytes each, in one transaction, and not to be made smaller. */
  private static void insertCompressed(Outbox outbox, String... ids) throws SQLException {
    byte[] random = new byte[2_000_000];
    try (Connection connection = outbox.connect();
        Statement session = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type,"
                    + " payload) VALUES (?, 'Order', '1', 'OrderPaid', ?)")) {
      session.execute("SET SESSION binlog_transaction_compression = ON");
      connection.setAutoCommit(false);
      for (String id : ids) {
        new SplittableRandom(id.hashCode()).nextBytes(random);
        insert.setString(1, id);
        insert.setString(2, '"' + Base64.getEncoder().encodeToString(random) + '"');
        insert.execute();
      }
      connection.commit();
    }
  }

  @Test
  void a_log_that_is_reset_while_it_is_read_is_a_gap() throws Exception {
    Source source = outbox.source();
    insert(5);
    source.inspectWhileCapturing();
    insert(5);
    source.inspectWhileCapturing();
    outbox.execute("RESET MASTER");
    insert(1);
    assertThatThrownBy(source::inspectWhileCapturing)
        .isInstanceOf(GapException.class)
        .hasMessageContaining("reset while it was read");
  }

  @Test
  void another_server_is_a_gap() throws Exception {
    insert(1);
    MySqlPosition end = readAll(outbox.begin());
    try (Outbox there = Outbox.mysql()) {
      assertThatThrownBy(() -> there.source().requireLog(end))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("is another server than " + end.serverUuid());
    }
  }

  @Test
  void a_replica_that_has_all_we_have_read_goes_on_with_the_rest() throws Exception {
    try (MySqlServer primary = MySqlServer.builder().start();
        MySqlServer replica = MySqlServer.builder().start()) {
      Database control = replicate(primary, replica);
      Outbox before = Outbox.create(primary, Outbox.PACE);
      Position begin = before.begin();
      before.insert("a");
      before.insert(IntStream.range(0, 10).mapToObj(i -> "big-" + i).toArray(String[]::new));
      before.insert("z");
      awaitReplicated(before.query("SELECT @@GLOBAL.gtid_executed").get(0), control);
      before.close();
      primary.kill();
      Login login = before.config().login();
      String url = replica.jdbcUrl(before.database().name());
      Source there = before.sourceAs(new Login(url, login.user(), login.password()));
      assertThat(there.inspect().identity()).isEqualTo(MySqlInspection.identity());
      try (Reading reading = Reading.of(there, begin)) {
        assertThat(reading.awaitEventIds(12)).startsWith("a", "big-0").endsWith("big-9", "z");
        assertThat(((MySqlPosition) reading.position()).serverUuid())
            .isNotEqualTo(((MySqlPosition) begin).serverUuid());
      }
    }
  }

  private static Database replicate(MySqlServer primary, MySqlServer replica) throws SQLException {
    primary
        .createDatabase("control")
        .execute(
            "CREATE USER replicator IDENTIFIED BY 'replicator'",
            "GRANT REPLICATION SLAVE ON *.* TO replicator",
            "DROP DATABASE control");
    Database control = replica.createDatabase("control_replica");
    control.execute(
        "RESET MASTER",
        "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = "
            + primary.port()
            + ", SOURCE_USER = 'replicator', SOURCE_PASSWORD = 'replicator',"
            + " SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1",
        "START REPLICA");
    return control;
  }

  private static void awaitReplicated(String executed, Database replica) throws SQLException {
    try (Connection connection = replica.connect();
        PreparedStatement wait =
            connection.prepareStatement("SELECT wait_for_executed_gtid_set(?, 100)")) {
      wait.setString(1, executed);
      try (ResultSet row = wait.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).as("waited in vain").isZero();
      }
    }
  }

  @Test
  void what_is_left_to_read_is_measured() throws Exception {
    MySqlSource source = new MySqlSource(outbox.config(), Clock.systemUTC());
    assertThat(source.retainedLogBytes()).isNull();
    try (FirstStart start = source.firstStart(FirstStart.Rows.NONE)) {
      assertThat(source.retainedLogBytes()).isZero();
      outbox.execute(
          "CREATE TABLE fill (t LONGTEXT)", "INSERT INTO fill VALUES (repeat('x', 1e6))");
      outbox.execute("FLUSH BINARY LOGS", "INSERT INTO fill VALUES (repeat('x', 1e6))");
      assertThat(source.retainedLogBytes()).isBetween(2_000_000L, 2_100_000L);
      try (Reading reading = Reading.of(source, start.position())) {
        await()
            .atMost(Reading.PATIENCE)
            .until(
                () ->
                    requireNonNull(source.retainedLogBytes()) < 2_000
                        || reading.capture().awaitEnd(Duration.ZERO));
      }
    }
  }

  @Test
  void a_reader_is_seen_and_keeps_nobody_from_looking() throws Exception {
    Source source = outbox.source();
    assertThat(source.takeOver()).isFalse();
    try (Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      reading.awaitEventIds(1);
      assertThat(source.takeOver()).isTrue();
      assertThat(source.inspectWhileCapturing().warnings()).isEmpty();
    }
  }
}
