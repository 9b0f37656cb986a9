package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.Outcome.Cost;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlOutageTest extends OutageContract {

  MySqlOutageTest() {
    super(TestDatabase.MYSQL);
  }

  /** As the old primary at a fail-over: first the guard is refused, without a guard the handler. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatOnlyReadsIsWaitedFor(boolean guarded) throws SQLException {
    bed.database().execute("SET GLOBAL super_read_only = ON");
    bed.publishTo(0, event("e1"));
    bed.start(guarded ? writing() : writing().guard(Guard.none()));
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 4);
    assertThat(outcomes.states()).endsWith(ConsumerState.WAITING);
    bed.database().execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
    bed.awaitCommitted("billing", 0, 1);
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
    assertThat(bed.effects("billing")).containsExactly("e1");
  }
}
