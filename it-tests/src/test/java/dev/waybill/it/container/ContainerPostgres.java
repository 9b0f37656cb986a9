package dev.waybill.it.container;

import dev.waybill.servers.DatabaseProduct;
import dev.waybill.servers.FreePort;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL 17 as its makers package it. */
public final class ContainerPostgres extends ContainerDatabase {

  private static final int PORT = 5432;

  // The server owns the container, and closes it.
  @SuppressWarnings("resource")
  private ContainerPostgres() {
    super(
        DatabaseProduct.POSTGRESQL,
        new PostgreSQLContainer("postgres:17")
            .withDatabaseName(DatabaseProduct.POSTGRESQL.superuser())
            .withCommand(
                "postgres",
                "-c",
                "wal_level=logical",
                "-c",
                "max_connections=200",
                "-c",
                "fsync=off"),
        PORT,
        FreePort.next());
  }

  /** Returns once clients are served. */
  public static ContainerPostgres started() {
    ContainerPostgres server = new ContainerPostgres();
    server.start();
    return server;
  }
}
