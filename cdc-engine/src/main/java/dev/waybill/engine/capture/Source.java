package dev.waybill.engine.capture;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The database whose outbox is captured. Holds no connection between calls; safe for use by one
 * thread at a time.
 *
 * <p>Every method throws {@link SourceUnavailableException} when the database cannot be reached
 * now: the caller waits and tries again.
 */
public interface Source {

  /**
   * The source that {@code config} describes; nothing is connected to yet.
   *
   * @throws SourceMisconfiguredException with all {@link SourceConfig#problems()}
   */
  static Source open(SourceConfig config, Clock clock) {
    List<String> problems = config.problems();
    if (!problems.isEmpty()) {
      throw new SourceMisconfiguredException(problems);
    }
    return switch (config.type()) {
      case POSTGRES -> new PostgresSource(config, clock);
      case MYSQL -> new MySqlSource(config, clock);
    };
  }

  /**
   * Who the database is, however it is set up: as in {@link SourceReport#identity}.
   *
   * @throws SourceMisconfiguredException when it lets nobody in to ask
   */
  Map<String, String> identity();

  /**
   * Looks at the database and changes nothing.
   *
   * @return who it is, and what an operator should know
   * @throws SourceMisconfiguredException with all problems of the set-up, each with its remedy
   */
  SourceReport inspect();

  /**
   * As {@link #inspect()}, but while a capture is open: it needs no second connection of the
   * capture's kind, of which a server may have no more to give.
   *
   * @throws SourceMisconfiguredException as {@link #inspect()}
   * @throws GapException when the log that is being read is no longer the one that was begun. On
   *     another server than before, this waits for some seconds until that has caught up
   */
  SourceReport inspectWhileCapturing();

  /**
   * Makes the log's starting point anew (dropping one that an unfinished first start left behind)
   * and opens the rows that were committed before it. The log and the rows leave no gap between
   * them. Nor do they overlap, if this source captures the log too; on MySQL another one may
   * publish again what was committed while the rows were opened.
   */
  FirstStart firstStart(FirstStart.Rows rows);

  /**
   * Sees to it that the reading of whoever reads the log for an engine of this name, such as the
   * one that is being replaced, ends before {@link #capture} begins: until then the log moves no
   * further. On MySQL it ends when the capture begins.
   *
   * @return whether there was somebody, who may have stored progress until now; on MySQL whoever
   *     reads the log as the same user is taken for such
   */
  boolean takeOver();

  /**
   * Opens the log behind {@code position}: nothing which is wholly in Kafka is read again.
   *
   * @throws GapException when the log no longer holds what comes after {@code position}
   */
  Capture capture(Position position, BatchHandler handler);

  /**
   * Makes sure that {@link #capture} could open the log behind {@code position}, and changes
   * nothing.
   *
   * @throws GapException when the log no longer holds what comes after {@code position}
   */
  void requireLog(Position position);

  /**
   * Reads back what {@link Position#toMap()} wrote.
   *
   * @throws IllegalArgumentException if it did not write this
   */
  Position position(Map<String, String> stored);

  /**
   * How many bytes of log this engine has yet to read: the source keeps them for it, or must not
   * remove them. Null when it cannot be known now.
   */
  @Nullable Long retainedLogBytes();
}
