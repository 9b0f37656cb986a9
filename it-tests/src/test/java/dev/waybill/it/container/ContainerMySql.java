package dev.waybill.it.container;

import dev.waybill.servers.DatabaseProduct;
import dev.waybill.servers.FreePort;
import org.testcontainers.mysql.MySQLContainer;

/** MySQL 9.7 as its makers package it. */
public final class ContainerMySql extends ContainerDatabase {

  private static final int PORT = 3306;

  // The server owns the container, and closes it.
  @SuppressWarnings("resource")
  private ContainerMySql() {
    super(
        DatabaseProduct.MYSQL,
        new MySQLContainer("mysql:9.7")
            .withCommand(
                "mysqld",
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--max-connections=200",
                "--sync-binlog=0",
                "--innodb-flush-log-at-trx-commit=2",
                "--innodb-use-native-aio=OFF"),
        PORT,
        FreePort.next());
  }

  /** Returns once clients are served. */
  public static ContainerMySql started() {
    ContainerMySql server = new ContainerMySql();
    server.start();
    return server;
  }
}
