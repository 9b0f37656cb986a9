package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.consumer.guard.GapPolicy;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.event.Event;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event takes effect once per group, however often it comes. */
abstract class OneEffectContract {

  private final TestDatabase database;
  private final Outcomes outcomes = new Outcomes();
  private TestBed bed;

  OneEffectContract(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(database, 2);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void theSameIdTwiceInARow() {
    bed.publishTo(0, event("e1"), event("e1"), event("e2"), event("e1"));
    bed.start(writing("billing"));
    bed.awaitCommitted("billing", 0, 4);
    assertThat(bed.effects("billing")).containsExactly("e1", "e2");
    assertThat(outcomes.told())
        .containsExactly("handled e1", "duplicate e1", "handled e2", "duplicate e1");
  }

  @Test
  void theSameIdInAnotherPartition() {
    bed.publishTo(0, event("e1"));
    bed.publishTo(1, event("e1"));
    bed.start(writing("billing"));
    bed.awaitCommitted("billing", 0, 1);
    bed.awaitCommitted("billing", 1, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  @Test
  void theSameIdsAfterTheOffsetWasSetBack() {
    bed.publishTo(0, event("e1"), event("e2"));
    EventConsumer first = bed.start(writing("billing"));
    bed.awaitCommitted("billing", 0, 2);
    first.close();
    bed.rewind("billing", 0, 0);
    bed.publishTo(0, event("e3"));
    bed.start(writing("billing"));
    bed.awaitEffects("billing", "e3");
    assertThat(bed.effects("billing")).containsExactly("e1", "e2", "e3");
    assertThat(outcomes.count("duplicate")).isEqualTo(2);
  }

  @Test
  void c08_aRecordWithoutAKeyTakesEffectOnceByItsId() {
    Event keyless =
        new Event("e1", "OrderCreated", 1, null, null, null, Instant.EPOCH, null, null, Map.of());
    bed.publishKeyless(0, keyless);
    bed.publishKeyless(1, keyless);
    bed.start(
        bed.consumer("billing")
            .guard(Guard.inbox().and(Guard.aggregateVersion()))
            .listener(outcomes)
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 1);
    bed.awaitCommitted("billing", 1, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
    assertThat(outcomes.told()).containsExactlyInAnyOrder("unversioned e1", "duplicate e1");
  }

  @Test
  void c60_twoGroupsEachHandleAnEventOnce() {
    bed.publishTo(0, event("e1"), event("e1"));
    bed.start(writing("billing"));
    bed.start(writing("mail"));
    bed.awaitCommitted("billing", 0, 2);
    bed.awaitCommitted("mail", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("e1");
    assertThat(bed.effects("mail")).containsExactly("e1");
    assertThat(bed.count("SELECT count(*) FROM consumed_event")).isEqualTo(2);
  }

  @Test
  void c60_theSameIdInTwoTopicsOfOneGroup() {
    String other = bed.topic() + ".again";
    bed.createTopic(other, 1);
    bed.publish(bed.topic(), 0, event("e1"));
    bed.publish(other, 0, event("e1"));
    bed.start(writing("billing").topics(other));
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.told().size() == 2);
    assertThat(outcomes.told()).containsExactlyInAnyOrder("handled e1", "duplicate e1");
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  @Test
  void withoutAGuardARepeatedEventTakesEffectAgain() {
    bed.publishTo(0, event("e1"), event("e1"));
    bed.start(writing("billing").guard(Guard.none()));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("e1", "e1");
    assertThat(bed.count("SELECT count(*) FROM consumed_event")).isZero();
  }

  @Test
  void versionsTakeEffectInOrderAndWhatIsIgnoredIsNoGap() {
    bed.publishTo(
        0,
        event("e1", "OrderCreated", "a", 1L),
        event("e2", "NobodysBusiness", "a", 2L),
        event("e3", "OrderPaid", "a", 3L),
        event("late", "OrderPaid", "a", 1L),
        event("none", "OrderPaid", "a", null));
    bed.start(
        bed.consumer("billing")
            .listener(outcomes)
            .guard(Guard.inbox().and(Guard.aggregateVersion()))
            .on("Order*", (event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 5);
    assertThat(bed.effects("billing")).containsExactly("e1", "e3", "none");
    assertThat(outcomes.told())
        .containsExactly(
            "handled e1", "ignored e2", "handled e3", "stale late", "unversioned none");
    assertThat(bed.count("SELECT version FROM aggregate_version")).isEqualTo(3);
  }

  @Test
  void c70_aGapThatIsAcceptedTakesEffectAndIsToldAsAGap() {
    bed.publishTo(
        0,
        event("v1", "OrderPaid", "a", 1L),
        event("v3", "OrderPaid", "a", 3L),
        event("v2", "OrderPaid", "a", 2L),
        event("v4", "OrderPaid", "a", 4L));
    bed.start(writing("billing").guard(Guard.aggregateVersion(GapPolicy.ACCEPT)));
    bed.awaitCommitted("billing", 0, 4);
    assertThat(bed.effects("billing")).containsExactly("v1", "v3", "v4");
    assertThat(outcomes.told()).containsExactly("handled v1", "gap v3", "stale v2", "handled v4");
  }

  @Test
  void anInboxDoesNotFillWithEventsThatNobodyHandles() {
    bed.publishTo(0, event("e1", "NobodysBusiness", "a", null));
    bed.start(bed.consumer("billing").listener(outcomes).on("OrderPaid", (event, tx) -> {}));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(outcomes.told()).isEqualTo(List.of("ignored e1"));
    assertThat(bed.count("SELECT count(*) FROM consumed_event")).isZero();
  }

  private EventConsumer.Builder writing(String group) {
    return bed.consumer(group)
        .listener(outcomes)
        .onAny((event, tx) -> TestBed.write(group, event, tx));
  }
}
