package dev.waybill.it.container;

import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.FreePort;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL 17 as its makers package it. */
public final class ContainerPostgres extends ContainerServer implements DatabaseServer {

  private static final String SUPERUSER = "postgres";

  private final int port;
  private final AtomicInteger databases = new AtomicInteger();

  private ContainerPostgres(int port) {
    super(container(port));
    this.port = port;
  }

  /** Returns once clients are served. */
  public static ContainerPostgres started() {
    ContainerPostgres server = new ContainerPostgres(FreePort.next());
    server.start();
    return server;
  }

  // The server owns the container, and closes it.
  @SuppressWarnings("resource")
  private static PostgreSQLContainer container(int port) {
    PostgreSQLContainer container =
        new PostgreSQLContainer("postgres:17")
            .withUsername(SUPERUSER)
            .withPassword(SUPERUSER)
            .withDatabaseName(SUPERUSER)
            .withCommand(
                "postgres",
                "-c",
                "wal_level=logical",
                "-c",
                "max_connections=200",
                "-c",
                "fsync=off");
    container.setPortBindings(List.of(port + ":5432"));
    return container;
  }

  @Override
  boolean isReady() {
    try (var connection = database(SUPERUSER).connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  @Override
  public String user() {
    return SUPERUSER;
  }

  @Override
  public String password() {
    return SUPERUSER;
  }

  @Override
  public Database createDatabase() {
    return createDatabase("db_" + databases.incrementAndGet());
  }

  @Override
  public Database createDatabase(String name) {
    try {
      database(SUPERUSER).execute("CREATE DATABASE \"" + name + "\"");
      return database(name);
    } catch (SQLException e) {
      throw new IllegalStateException("could not create database " + name, e);
    }
  }

  private Database database(String name) {
    return new Database(name, jdbcUrl(name), SUPERUSER, SUPERUSER);
  }
}
