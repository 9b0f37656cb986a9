package dev.waybill.consumer;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.PostgresServer;
import java.sql.SQLException;

/**
 * The servers that all tests of this JVM share, started when first asked for and ended with the
 * JVM. A test that stops one uses its own.
 */
public final class TestServers {

  private TestServers() {}

  private static final class Postgres {
    static final PostgresServer SERVER = PostgresServer.builder(16).start();
  }

  private static final class Kafka {
    static final KafkaBroker BROKER =
        KafkaBroker.builder().setting("auto.create.topics.enable", "false").start();
  }

  public static PostgresServer postgres() {
    return Postgres.SERVER;
  }

  public static KafkaBroker kafka() {
    return Kafka.BROKER;
  }

  /** A new database with the guard's tables. */
  public static Database consumerDatabase(PostgresServer server) throws SQLException {
    Database database = server.createDatabase();
    database.execute(SchemaSql.consumer(ConsumerDatabase.POSTGRESQL));
    return database;
  }
}
