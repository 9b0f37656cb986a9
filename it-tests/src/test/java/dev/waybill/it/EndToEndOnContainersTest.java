package dev.waybill.it;

import dev.waybill.it.container.ContainerKafka;
import dev.waybill.it.container.ContainerPostgres;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("testcontainers")
class EndToEndOnContainersTest extends EndToEndSuite {

  private static final DatabaseServer DATABASE = ContainerPostgres.started();
  private static final BrokerServer BROKER = ContainerKafka.started();

  EndToEndOnContainersTest() {
    super(DATABASE, BROKER);
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
