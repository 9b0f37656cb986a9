package dev.waybill.engine;

import dev.waybill.servers.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Appends one event after the other, each in a transaction of its own, until it is closed. */
final class BusyWriter implements AutoCloseable {

  private final List<String> appended = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  private BusyWriter(Database database, String type) {
    this.thread = new Thread(() -> append(database, type), "busy writer");
  }

  static BusyWriter start(Database database, String type) {
    BusyWriter writer = new BusyWriter(database, type);
    writer.thread.start();
    return writer;
  }

  private void append(Database database, String type) {
    try {
      for (int number = 0; !closed; number++) {
        EngineWorld.append(database, type, List.of("w" + number));
        appended.add("w" + number);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What it has appended until now. */
  List<String> appended() {
    return List.copyOf(appended);
  }

  /** Returns all that it has appended. */
  List<String> stop() {
    close();
    return appended();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
