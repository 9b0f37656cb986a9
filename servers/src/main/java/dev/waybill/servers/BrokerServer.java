package dev.waybill.servers;

/** A Kafka broker that tests and the demo may do anything to. */
public interface BrokerServer extends Server {

  /** The address that clients start from, the same across restarts. */
  String bootstrapServers();
}
