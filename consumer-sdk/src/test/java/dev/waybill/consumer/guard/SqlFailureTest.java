package dev.waybill.consumer.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFailureTest {

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03"})
  void c55_aLostTransactionIsAConflictHoweverItIsWrapped(String state) {
    SQLException failure = new SQLException("in whatever language", state);
    assertThat(SqlFailure.of(failure)).isEqualTo(SqlFailure.CONFLICT);
    assertThat(SqlFailure.of(new IllegalStateException(new RuntimeException(failure))))
        .isEqualTo(SqlFailure.CONFLICT);
  }

  @Test
  void c53_soAreDeadlockAndLockTimeoutOfMySql() {
    assertThat(SqlFailure.of(new SQLException("deadlock", "40001", 1213)))
        .isEqualTo(SqlFailure.CONFLICT);
    for (int code : new int[] {1205, 3572}) {
      assertThat(SqlFailure.of(new SQLException("no lock", "HY000", code)))
          .isEqualTo(SqlFailure.CONFLICT);
    }
  }

  @Test
  void findsTheFailureBehindABatch() {
    BatchUpdateException batch = new BatchUpdateException();
    batch.setNextException(new SQLException("deadlock", "40P01"));
    assertThat(SqlFailure.of(batch)).isEqualTo(SqlFailure.CONFLICT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"08006", "08001", "57P01", "57P02", "57P03", "53300", "53100", "25006"})
  void aDatabaseThatIsAwayIsUnavailable(String state) {
    assertThat(SqlFailure.of(new RuntimeException(new SQLException("away", state))))
        .isEqualTo(SqlFailure.UNAVAILABLE);
  }

  @Test
  void soIsAPoolWithoutConnectionsWhateverItsState() {
    assertThat(SqlFailure.of(new SQLTransientConnectionException("no connection in 30 s")))
        .isEqualTo(SqlFailure.UNAVAILABLE);
    assertThat(SqlFailure.of(new SQLRecoverableException("connection reset")))
        .isEqualTo(SqlFailure.UNAVAILABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "08S01, 1053", "HY000, 1290", "HY000, 1836", "HY000, 3169", "HY000, 4031", "08004, 1040",
    "42000, 1203", "42000, 1226", "HY000, 1021", "HY000, 1114", "HY001, 1037", "25006, 1792"
  })
  void soIsMySqlWhateverItsState(String state, int code) {
    assertThat(SqlFailure.of(new SQLException("away", state, code)))
        .isEqualTo(SqlFailure.UNAVAILABLE);
  }

  @ParameterizedTest
  @CsvSource({"08S01, 1153", "23000, 1062", "42000, 1064", "HY000, 3024", "42000, 1305"})
  void aStatementThatMySqlNeverTakesIsTheWorksOwnFault(String state, int code) {
    assertThat(SqlFailure.of(new SQLException("wrong", state, code))).isEqualTo(SqlFailure.OTHER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"23505", "23502", "25P02", "42P01", "57014", "22001"})
  void c56_anythingElseIsTheWorksOwnFault(String state) {
    assertThat(SqlFailure.of(new SQLException("wrong", state))).isEqualTo(SqlFailure.OTHER);
  }

  @Test
  void aCircleOfCausesHasAnEnd() {
    Exception a = new Exception("a");
    Exception b = new Exception("b", a);
    a.initCause(b);
    assertThat(SqlFailure.of(a)).isEqualTo(SqlFailure.OTHER);
  }
}
