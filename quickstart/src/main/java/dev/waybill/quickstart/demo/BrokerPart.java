package dev.waybill.quickstart.demo;

import dev.waybill.servers.KafkaBroker;

/** The broker, which keeps its data and its port. */
record BrokerPart(KafkaBroker broker) implements Part {

  @Override
  public String name() {
    return "Kafka broker";
  }

  @Override
  public void start() {
    broker.start();
  }

  @Override
  public boolean isRunning() {
    return broker.isRunning();
  }

  @Override
  public boolean isDone() {
    return false;
  }

  @Override
  public long pid() {
    return broker.pid();
  }
}
