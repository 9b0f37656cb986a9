package dev.waybill.it.container;

import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.FreePort;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.mysql.MySQLContainer;

/** MySQL 9.7 as its makers package it. */
public final class ContainerMySql extends ContainerServer implements DatabaseServer {

  private static final String SUPERUSER = "root";

  private final int port;
  private final AtomicInteger databases = new AtomicInteger();

  private ContainerMySql(int port) {
    super(container(port));
    this.port = port;
  }

  /** Returns once clients are served. */
  public static ContainerMySql started() {
    ContainerMySql server = new ContainerMySql(FreePort.next());
    server.start();
    return server;
  }

  // The server owns the container, and closes it.
  @SuppressWarnings("resource")
  private static MySQLContainer container(int port) {
    MySQLContainer container =
        new MySQLContainer("mysql:9.7")
            .withUsername(SUPERUSER)
            .withPassword(SUPERUSER)
            .withCommand(
                "mysqld",
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--max-connections=200",
                "--sync-binlog=0",
                "--innodb-flush-log-at-trx-commit=2",
                "--innodb-use-native-aio=OFF");
    container.setPortBindings(List.of(port + ":3306"));
    return container;
  }

  @Override
  boolean isReady() {
    try (var connection = database("mysql").connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:mysql://127.0.0.1:" + port + "/" + database;
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
      database("mysql").execute("CREATE DATABASE `" + name + "`");
      return database(name);
    } catch (SQLException e) {
      throw new IllegalStateException("could not create database " + name, e);
    }
  }

  private Database database(String name) {
    return new Database(name, jdbcUrl(name), SUPERUSER, SUPERUSER);
  }
}
