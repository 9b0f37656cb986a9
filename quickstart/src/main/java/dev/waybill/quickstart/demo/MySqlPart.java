package dev.waybill.quickstart.demo;

import dev.waybill.servers.MySqlServer;

/** The MySQL server, which keeps its data and its port. */
record MySqlPart(MySqlServer server) implements Part {

  @Override
  public String name() {
    return "MySQL";
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public boolean isRunning() {
    return server.isRunning();
  }

  @Override
  public boolean isDone() {
    return false;
  }

  @Override
  public long pid() {
    return server.pid();
  }
}
