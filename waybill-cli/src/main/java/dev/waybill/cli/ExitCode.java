package dev.waybill.cli;

import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.PostgresErrors;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.capture.SourceUnavailableException;
import dev.waybill.engine.publish.BrokerUnavailableException;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.engine.publish.UnpublishableException;
import dev.waybill.engine.settings.ConfigurationException;
import java.sql.SQLException;

/** What a process says when it ends; the numbers are part of the interface. */
enum ExitCode {
  /** All is well; also after SIGTERM. */
  FINE(0),
  /** The check found something, or an event cannot be published and the policy is to stop. */
  FOUND(1),
  /** The command line, the configuration or the set-up of source or broker is wrong. */
  CONFIGURATION(2),
  /**
   * A server cannot be reached or serve now; only of commands that do not wait. Java itself ends
   * with this number, too, when its memory is exhausted.
   */
  UNREACHABLE(3),
  /** Rows may be missing in Kafka. */
  GAP(4),
  /** A failure of Waybill itself. */
  INTERNAL(5);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static ExitCode of(Throwable failure) {
    if (failure instanceof GapException) {
      return GAP;
    }
    if (failure instanceof UnpublishableException) {
      return FOUND;
    }
    if (failure instanceof SourceUnavailableException
        || failure instanceof BrokerUnavailableException
        || isPassing(failure)) {
      return UNREACHABLE;
    }
    return isMisconfiguration(failure) ? CONFIGURATION : INTERNAL;
  }

  private static boolean isPassing(Throwable failure) {
    return failure instanceof SQLException sql && PostgresErrors.isPassing(sql);
  }

  private static boolean isMisconfiguration(Throwable failure) {
    return failure instanceof ConfigurationException
        || failure instanceof SQLException
        || failure instanceof SourceMisconfiguredException
        || failure instanceof ProgressUnreadableException;
  }
}
