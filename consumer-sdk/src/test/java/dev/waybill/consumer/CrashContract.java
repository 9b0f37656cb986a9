package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds when the consumer's process is killed. */
abstract class CrashContract {

  private static final Duration NEVER = Duration.ofHours(1);

  private final TestDatabase kind;
  private TestBed bed;

  CrashContract(TestDatabase kind) {
    this.kind = kind;
  }

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(kind, 1);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void c63_killedBetweenDatabaseCommitAndOffsetCommit() {
    bed.publishTo(0, event("e1"), event("e2"), event("e3"));
    try (ChildJvm service = start(NEVER)) {
      service.awaitLine("handled e3"::equals, TestBed.PATIENCE);
      assertThat(bed.committed("billing", 0)).isEqualTo(-1);
      service.kill();
    }
    bed.publishTo(0, event("e4"));
    try (ChildJvm service = start(Duration.ofMillis(50))) {
      service.awaitLine("handled e4"::equals, TestBed.PATIENCE);
      assertThat(service.lines())
          .containsSubsequence("duplicate e1", "duplicate e2", "duplicate e3", "handled e4");
      bed.awaitCommitted("billing", 0, 4);
    }
    assertThat(bed.effects("billing")).containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void killedAtRandomUnderLoad() {
    int events = 600;
    Random random = new Random(11);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      expected.add("e" + i);
      bed.publishTo(0, event("e" + i));
    }
    for (int kill = 1; kill <= 3; kill++) {
      int handled = kill * 100 + random.nextInt(50);
      try (ChildJvm service = start(Duration.ofMillis(20))) {
        await().atMost(TestBed.PATIENCE).until(() -> bed.effects("billing").size() >= handled);
        service.kill();
      }
    }
    try (ChildJvm service = start(Duration.ofMillis(20))) {
      bed.awaitCommitted("billing", 0, events);
      assertThat(service.isAlive()).isTrue();
    }
    assertThat(bed.effects("billing")).isEqualTo(expected);
  }

  private ChildJvm start(Duration commitInterval) {
    Database database = bed.database();
    return ChildJvm.builder(ConsumerProcess.class)
        .jvmOptions("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .arguments(
            bed.bootstrapServers(),
            bed.topic(),
            bed.group("billing"),
            database.name(),
            database.jdbcUrl(),
            database.user(),
            database.password(),
            Long.toString(commitInterval.toMillis()))
        .start();
  }
}
