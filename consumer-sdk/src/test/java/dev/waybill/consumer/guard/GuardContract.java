package dev.waybill.consumer.guard;

import static dev.waybill.consumer.Events.event;
import static dev.waybill.consumer.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.consumer.Events;
import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the guards promise on every database. */
abstract class GuardContract {

  static final Verdict IN_ORDER = new Verdict.Admitted(Passage.IN_ORDER);
  static final Verdict DUPLICATE = new Verdict.Duplicate();

  final GroupGuard inbox = Guard.inbox().forGroup("billing");
  final GroupGuard versions = Guard.aggregateVersion().forGroup("billing");
  final GroupGuard both = Guard.aggregateVersion().and(Guard.inbox()).forGroup("billing");

  private final ExecutorService others = Executors.newCachedThreadPool();
  private final List<Connection> connections = new ArrayList<>();

  /** A new connection to a database with the guard's tables and {@code effect(event_id)}. */
  abstract Connection connect() throws SQLException;

  /** 64 characters, whatever the database calls a character. */
  abstract String longestId();

  /** Empty tables. */
  abstract void prepare() throws SQLException;

  @BeforeEach
  void prepareTables() throws SQLException {
    prepare();
  }

  @AfterEach
  void endAll() throws Exception {
    for (Connection connection : connections) {
      connection.close();
    }
    others.shutdownNow();
    assertThat(others.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theSameIdTwiceTakesEffectOnce() throws Exception {
    assertThat(handle(inbox, event("e1"))).isEqualTo(IN_ORDER);
    assertThat(handle(inbox, event("e1"))).isEqualTo(DUPLICATE);
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void c63_anEventWhoseHandlerThrewAfterWritingWasNeverSeen() throws Exception {
    assertThatThrownBy(
            () ->
                inTransaction(
                    connection ->
                        inbox.once(
                            connection,
                            event("e1"),
                            () -> {
                              write(connection, event("e1"));
                              throw new IllegalStateException("after writing");
                            })))
        .hasMessage("after writing");
    assertThat(effects()).isEmpty();
    assertThat(handle(inbox, event("e1"))).isEqualTo(IN_ORDER);
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void c60_twoGroupsHandleAnEventOnceEach() throws Exception {
    GroupGuard mail = Guard.inbox().forGroup("mail");
    assertThat(handle(inbox, event("e1"))).isEqualTo(IN_ORDER);
    assertThat(handle(mail, event("e1"))).isEqualTo(IN_ORDER);
    assertThat(handle(inbox, event("e1"))).isEqualTo(DUPLICATE);
    assertThat(handle(mail, event("e1"))).isEqualTo(DUPLICATE);
    assertThat(effects()).containsExactly("e1", "e1");
  }

  @Test
  void c59_idsAndGroupsThatDifferInCaseOrAccentAreDifferent() throws Exception {
    for (String id : List.of("abc", "ABC", "e", "é", "t", "t ")) {
      assertThat(handle(inbox, event(id))).as(id).isEqualTo(IN_ORDER);
    }
    assertThat(handle(Guard.inbox().forGroup("Billing"), event("abc"))).isEqualTo(IN_ORDER);
    for (String aggregate : List.of("o", "O")) {
      assertThat(handle(versions, event("v" + aggregate, "T", aggregate, 1L))).isEqualTo(IN_ORDER);
    }
  }

  @Test
  void c58_anIdThatIsTooLongIsRefusedBeforeAnySql() throws Exception {
    String fits = longestId();
    assertThat(handle(inbox, event(fits))).isEqualTo(IN_ORDER);
    assertThat(handle(inbox, event(fits + "1"))).isInstanceOf(Verdict.Refused.class);
    assertThat(handle(inbox, event(fits + "2")).toString()).contains("65", "64");
    for (String unheard : List.of("a\0b", "half a pair: \ud83d")) {
      assertThat(handle(inbox, event(unheard))).isInstanceOf(Verdict.Refused.class);
    }
    Event longAggregate = event("e2", "T", "a".repeat(256), 1L);
    assertThat(handle(versions, longAggregate)).isInstanceOf(Verdict.Refused.class);
    assertThat(effects()).containsExactly(fits);
  }

  @Test
  void c58_aTypeThatIsTooLongIsCutSinceNothingDependsOnIt() throws Exception {
    assertThat(handle(inbox, event("e1", "T\0".repeat(300), "a", null))).isEqualTo(IN_ORDER);
    assertThat(handle(inbox, event("e1", null, "a", null))).isEqualTo(DUPLICATE);
  }

  @Test
  void versionsTakeEffectInOrderAndOnce() throws Exception {
    assertThat(handle(versions, version(1))).isEqualTo(IN_ORDER);
    assertThat(handle(versions, version(2))).isEqualTo(IN_ORDER);
    assertThat(handle(versions, version(2))).isEqualTo(new Verdict.Stale(2));
    assertThat(handle(versions, version(1))).isEqualTo(new Verdict.Stale(2));
    assertThat(effects()).containsExactly("v1", "v2");
  }

  @Test
  void c70_theFirstVersionSeenIsTheBaseline() throws Exception {
    assertThat(handle(versions, version(7))).isEqualTo(IN_ORDER);
    assertThat(handle(versions, version(6))).isEqualTo(new Verdict.Stale(7));
    assertThat(handle(versions, version(8))).isEqualTo(IN_ORDER);
  }

  @Test
  void c63_aFirstVersionThatIsSetAsideIsNotLateAfterwards() throws Exception {
    for (GroupGuard guard : List.of(versions, Guard.inbox().forGroup("billing"))) {
      keepPlace(guard, version(1));
      keepPlace(guard, version(1));
    }
    assertThat(handle(both, version(2))).isEqualTo(new Verdict.Gap(0, GapPolicy.PARK));
    keepPlace(both, version(2));
    assertThat(handle(both, version(1))).isEqualTo(IN_ORDER);
    keepPlace(both, version(1));
    assertThat(handle(both, version(2))).isEqualTo(IN_ORDER);
    assertThat(effects()).containsExactly("v1", "v2");
  }

  private void keepPlace(GroupGuard guard, Event event) throws Exception {
    inTransaction(
        connection -> {
          guard.keepPlace(connection, event);
          return IN_ORDER;
        });
  }

  @Test
  void c70_aGapChangesNothingUnlessThePolicyAcceptsIt() throws Exception {
    handle(both, version(1));
    assertThat(handle(both, version(3))).isEqualTo(new Verdict.Gap(1, GapPolicy.PARK));
    assertThat(handle(both, version(2))).isEqualTo(IN_ORDER);
    assertThat(handle(both, version(3))).isEqualTo(IN_ORDER);

    GroupGuard accepting = Guard.aggregateVersion(GapPolicy.ACCEPT).forGroup("billing");
    assertThat(handle(accepting, version(5))).isEqualTo(new Verdict.Admitted(Passage.ACROSS_GAP));
    assertThat(handle(accepting, version(4))).isEqualTo(new Verdict.Stale(5));
    GroupGuard failing = Guard.aggregateVersion(GapPolicy.FAIL).forGroup("billing");
    assertThat(handle(failing, version(7))).isEqualTo(new Verdict.Gap(5, GapPolicy.FAIL));
    assertThat(effects()).containsExactly("v1", "v2", "v3", "v5");
  }

  @Test
  void anEventWithoutAVersionPassesTheVersionGuardAndSaysSo() throws Exception {
    Verdict unversioned = new Verdict.Admitted(Passage.UNVERSIONED);
    assertThat(handle(versions, event("e1", "T", "a", null))).isEqualTo(unversioned);
    assertThat(handle(both, event("e2", "T", "a", null))).isEqualTo(unversioned);
    assertThat(handle(both, event("e2", "T", "a", null))).isEqualTo(DUPLICATE);
  }

  @Test
  void anInboxInFrontOfVersionsLeavesNothingBehindForWhatIsNotAdmitted() throws Exception {
    handle(both, version(1));
    inTransaction(connection -> both.once(connection, version(3), () -> {}));
    handle(both, version(2));
    assertThat(handle(both, version(3))).isEqualTo(IN_ORDER);
  }

  @Test
  void whoeverKeepsTheTransactionCanGoOnAfterADuplicate() throws Exception {
    handle(inbox, event("e1"));
    inTransaction(
        connection -> {
          Verdict first = inbox.once(connection, event("e1"), () -> write(connection, event("no")));
          inbox.once(connection, event("e2"), () -> write(connection, event("e2")));
          return first;
        });
    assertThat(effects()).containsExactly("e1", "e2");
  }

  @Test
  void aConnectionThatCommitsByItselfIsRefused() throws Exception {
    Connection connection = open();
    connection.setAutoCommit(true);
    assertThatThrownBy(() -> inbox.once(connection, event("e1"), () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("setAutoCommit(false)");
  }

  @Test
  void aHandlerThatRolledBackByTextHasFailed() throws Exception {
    for (GroupGuard guard : List.of(inbox, versions)) {
      assertThatThrownBy(
              () ->
                  inTransaction(
                      connection ->
                          guard.once(
                              connection, version(1), () -> execute(connection, "ROLLBACK"))))
          .isInstanceOf(AbortedTransactionException.class);
      assertThat(handle(guard, version(1))).isEqualTo(IN_ORDER);
    }
  }

  @Test
  void c64_aSecondConsumerWaitsForTheFirstAndIsThenADuplicate() throws Exception {
    Connection first = open();
    inbox.once(first, event("e1"), () -> write(first, event("e1")));
    Future<Verdict> second = others.submit(() -> handle(inbox, event("e1")));
    first.commit();
    assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(DUPLICATE);
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void c64_aSecondConsumerTakesOverWhatTheFirstRolledBack() throws Exception {
    Connection first = open();
    inbox.once(first, event("e1"), () -> write(first, event("e1")));
    Future<Verdict> second = others.submit(() -> handle(inbox, event("e1")));
    first.rollback();
    assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(IN_ORDER);
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void manyConsumersOfOneAggregateKeepEffectAndOrder() throws Exception {
    int versionsEach = 40;
    CountDownLatch go = new CountDownLatch(1);
    Callable<Void> consumer =
        () -> {
          go.await();
          for (int version = 1; version <= versionsEach; version++) {
            handleDespiteConflicts(both, version(version));
          }
          return null;
        };
    List<Future<Void>> consumers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      consumers.add(others.submit(consumer));
    }
    go.countDown();
    for (Future<Void> each : consumers) {
      each.get(60, TimeUnit.SECONDS);
    }
    List<String> expected = new ArrayList<>();
    for (int version = 1; version <= versionsEach; version++) {
      expected.add("v" + version);
    }
    assertThat(effects()).containsExactlyElementsOf(expected);
  }

  @Test
  void c54_distinctAggregatesAtTheSameTimeDoNotMeet() throws Exception {
    List<Future<Integer>> consumers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int number = i;
      consumers.add(others.submit(() -> handleDistinct(number)));
    }
    for (Future<Integer> each : consumers) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(50);
    }
    assertThat(effects()).hasSize(400).doesNotHaveDuplicates();
  }

  /** No conflict is allowed here. */
  private int handleDistinct(int consumer) throws Exception {
    int admitted = 0;
    for (int i = 0; i < 50; i++) {
      String id = consumer + "-" + i;
      if (handle(both, event(id, "T", "order-" + id, 1L)).equals(IN_ORDER)) {
        admitted++;
      }
    }
    return admitted;
  }

  final Verdict handleDespiteConflicts(GroupGuard guard, Event event) throws Exception {
    for (; ; ) {
      try {
        return handle(guard, event);
      } catch (SQLException e) {
        if (SqlFailure.of(e) != SqlFailure.CONFLICT) {
          throw e;
        }
      }
    }
  }

  static Event version(long version) {
    return Events.event("v" + version, "OrderChanged", "order-1", version);
  }

  /** As a consumer does it: work is a row in {@code effect}. */
  final Verdict handle(GroupGuard guard, Event event) throws Exception {
    return inTransaction(
        connection -> guard.once(connection, event, () -> write(connection, event)));
  }

  interface InTransaction {
    Verdict run(Connection connection) throws Exception;
  }

  final Verdict inTransaction(InTransaction work) throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      try {
        Verdict verdict = work.run(connection);
        connection.commit();
        return verdict;
      } catch (Throwable t) {
        connection.rollback();
        throw t;
      }
    }
  }

  final Connection open() throws SQLException {
    Connection connection = connect();
    connections.add(connection);
    connection.setAutoCommit(false);
    return connection;
  }

  static void write(Connection connection, Event event) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (event_id) VALUES (?)")) {
      insert.setString(1, event.id());
      insert.executeUpdate();
    }
  }

  /** The ids of the events that took effect, in that order. */
  final List<String> effects() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT event_id FROM effect ORDER BY n")) {
      List<String> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    }
  }
}
