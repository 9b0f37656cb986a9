package dev.waybill.it;

import dev.waybill.it.container.ContainerKafka;
import dev.waybill.it.container.ContainerMySql;
import dev.waybill.it.world.World;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("testcontainers")
class NoLossOnMySqlContainerTest extends NoLossSuite {

  private static final DatabaseServer DATABASE = ContainerMySql.started();
  private static final BrokerServer BROKER = ContainerKafka.started();

  NoLossOnMySqlContainerTest() {
    super(World.on(DATABASE, BROKER));
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
