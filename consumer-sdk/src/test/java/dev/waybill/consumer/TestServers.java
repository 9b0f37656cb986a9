package dev.waybill.consumer;

import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;

/**
 * The servers that all tests of this JVM share, started when first asked for and ended with the
 * JVM. A test that stops one uses its own.
 */
public final class TestServers {

  private TestServers() {}

  private static final class Postgres {
    static final PostgresServer SERVER = PostgresServer.builder(16).start();
  }

  private static final class MySql {
    static final MySqlServer SERVER = MySqlServer.builder().start();
  }

  private static final class Kafka {
    static final KafkaBroker BROKER =
        KafkaBroker.builder().setting("auto.create.topics.enable", "false").start();
  }

  static PostgresServer postgres() {
    return Postgres.SERVER;
  }

  static MySqlServer mySql() {
    return MySql.SERVER;
  }

  public static KafkaBroker kafka() {
    return Kafka.BROKER;
  }
}
