package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/**
 * One statement after the other, each far below what the server takes in a packet, for databases
 * where a transaction goes on after a failed statement. A statement is all or nothing by itself;
 * where it takes several, a savepoint undoes those that went before the failed one.
 *
 * <p>Not as a batch, which Connector/J makes one statement of under {@code
 * rewriteBatchedStatements}, and else sends one after the other all the same.
 */
record InBoundedStatements(InsertStatement insert) implements Insertion {

  /** Characters of one INSERT, but for one event that is longer: a third of a megabyte of ASCII. */
  private static final int CHARACTERS = 1 << 18;

  @Override
  public void insert(Connection connection, List<OutboxEvent> events) throws SQLException {
    List<List<OutboxEvent>> statements = bounded(events);
    if (statements.size() == 1) {
      insertOne(connection, events);
    } else if (statements.size() > 1) {
      insertAll(connection, statements);
    }
  }

  private void insertAll(Connection connection, List<List<OutboxEvent>> statements)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      for (List<OutboxEvent> events : statements) {
        insertOne(connection, events);
      }
      connection.releaseSavepoint(before);
    } catch (SQLException | RuntimeException e) {
      undo(connection, before, e);
      throw e;
    }
  }

  /** A savepoint that is not there any more went with the whole transaction, as in a deadlock. */
  private static void undo(Connection connection, Savepoint before, Exception failure) {
    try {
      connection.rollback(before);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private void insertOne(Connection connection, List<OutboxEvent> events) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert.sql(events.size()))) {
      insert.bind(statement, events);
      Insertion.requireInserted(events.size(), statement.executeUpdate());
    } catch (SQLException e) {
      throw insert.failure(events, e);
    }
  }

  private static List<List<OutboxEvent>> bounded(List<OutboxEvent> events) {
    List<List<OutboxEvent>> statements = new ArrayList<>();
    int first = 0;
    long characters = 0;
    for (int i = 0; i < events.size(); i++) {
      long size = size(events.get(i));
      if (i > first && (i - first == ROWS || characters + size > CHARACTERS)) {
        statements.add(events.subList(first, i));
        first = i;
        characters = 0;
      }
      characters += size;
    }
    if (first < events.size()) {
      statements.add(events.subList(first, events.size()));
    }
    return statements;
  }

  /** What can be long; the rest of a row is some hundred characters. */
  private static long size(OutboxEvent event) {
    long size =
        event.payload() == null
            ? 0
            : event
                .payload()
                .<Integer>match(json -> json.text().length(), binary -> binary.bytes().length);
    for (var header : event.headers().entrySet()) {
      size += header.getKey().length() + header.getValue().length();
    }
    return size;
  }
}
