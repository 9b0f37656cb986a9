package dev.waybill.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.Diagnosis.Finding;
import dev.waybill.engine.Diagnosis.Kind;
import dev.waybill.servers.Database;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DoctorTest {

  private static final EngineWorld WORLD = EngineWorld.start();

  private final String name = EngineWorld.newName();
  private Database database = new Database("", "", "", "");

  @BeforeEach
  void makeOutbox() throws SQLException {
    database = WORLD.newOutbox();
  }

  @AfterAll
  static void closeWorld() {
    WORLD.close();
  }

  private Diagnosis examine(String... more) throws InterruptedException {
    return Doctor.examine(WORLD.config(name, database, more));
  }

  private void runOnce() {
    try (OutboxEngine engine = OutboxEngine.builder(WORLD.config(name, database)).build()) {
      engine.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> engine.status().state() == EngineState.STREAMING);
    }
  }

  @Test
  void findsNothingWrongBeforeAndAfterAFirstStart() throws Exception {
    assertThat(examine().findings()).extracting(Finding::kind).containsOnly(Kind.FINE);
    runOnce();
    assertThat(examine().findings())
        .allSatisfy(finding -> assertThat(finding.kind()).isEqualTo(Kind.FINE))
        .anySatisfy(finding -> assertThat(finding.text()).contains(name + " has come to"));
    database.execute("SELECT pg_drop_replication_slot('waybill_" + name + "')");
  }

  @Test
  void changesNothing() throws Exception {
    examine();
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT (SELECT count(*) FROM pg_replication_slots WHERE database = current_database())"
                    + " + (SELECT count(*) FROM pg_publication)")) {
      row.next();
      assertThat(row.getInt(1)).isZero();
    }
    assertThat(WORLD.topics()).noneMatch(topic -> topic.contains(name));
  }

  @Test
  void namesTheProblemsOfTheSourceTogether() throws Exception {
    database.execute("CREATE ROLE %s LOGIN PASSWORD 'x'".formatted(name));
    database = new Database(database.name(), database.jdbcUrl(), name, "x");
    assertThat(examine().findings())
        .filteredOn(finding -> finding.kind() == Kind.PROBLEM)
        .extracting(Finding::text)
        .anyMatch(text -> text.contains("REPLICATION"))
        .anyMatch(text -> text.contains("GRANT SELECT"))
        .anyMatch(text -> text.contains("CREATE PUBLICATION"));
  }

  /** Between a look at progress and one at the slot both have moved on. */
  @Test
  void findsNoGapBesideAnEngineAtWork() throws Exception {
    WORLD.createTopic("events." + name);
    try (OutboxEngine engine = OutboxEngine.builder(WORLD.config(name, database)).build();
        BusyWriter writer = BusyWriter.start(database, name)) {
      engine.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> engine.status().state() == EngineState.STREAMING);
      for (int i = 0; i < 5; i++) {
        assertThat(examine().findings()).extracting(Finding::kind).containsOnly(Kind.FINE);
      }
      assertThat(writer.appended()).isNotEmpty();
    }
    database.execute("SELECT pg_drop_replication_slot('waybill_" + name + "')");
  }

  @Test
  void namesAGap() throws Exception {
    runOnce();
    database.execute("SELECT pg_drop_replication_slot('waybill_" + name + "')");
    assertThat(examine().findings())
        .filteredOn(finding -> finding.kind() == Kind.GAP)
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains("waybill_" + name));
  }

  @Test
  void saysWhatItCouldNotReach() throws Exception {
    WORLD.broker().stop();
    WORLD.postgres().stop();
    try {
      assertThat(examine().findings())
          .filteredOn(finding -> finding.kind() == Kind.UNREACHABLE)
          .extracting(Finding::subject)
          .containsExactly("source", "broker");
    } finally {
      WORLD.postgres().start();
      WORLD.broker().start();
    }
  }
}
