package dev.waybill.it.world;

import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The servers that the tests of this JVM share, started when they are first asked for and ended
 * with the JVM. Tests that take servers away start their own.
 */
public final class Servers {

  /** The versions whose promises are tested. */
  public static final int OLDEST = 14;

  public static final int NEWEST = 18;

  private static final Map<Integer, DatabaseServer> POSTGRES = new ConcurrentHashMap<>();
  private static @Nullable DatabaseServer mysql;
  private static @Nullable BrokerServer broker;

  private Servers() {}

  /** A shared PostgreSQL server of a major version. */
  public static DatabaseServer postgres(int version) {
    return POSTGRES.computeIfAbsent(version, Servers::ownPostgres);
  }

  /** The shared MySQL server. */
  public static synchronized DatabaseServer mysql() {
    if (mysql == null) {
      mysql = ownMySql();
    }
    return mysql;
  }

  /** The shared broker: topics have three partitions and are made when they are written to. */
  public static synchronized BrokerServer broker() {
    if (broker == null) {
      broker = ownBroker(Map.of());
    }
    return broker;
  }

  /** A server for one test, which closes it. */
  public static DatabaseServer ownPostgres(int version) {
    return PostgresServer.builder(version).start();
  }

  /** A server for one test, which closes it. */
  public static DatabaseServer ownMySql() {
    return MySqlServer.builder().start();
  }

  /** A broker for one test, which closes it. */
  public static KafkaBroker ownBroker(Map<String, String> settings) {
    KafkaBroker.Builder builder =
        KafkaBroker.builder()
            .setting("num.partitions", "3")
            // A member of a consumer group that was killed is missed soon.
            .setting("group.min.session.timeout.ms", "500");
    settings.forEach(builder::setting);
    return builder.start();
  }
}
