package dev.waybill.it.container;

import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseProduct;
import dev.waybill.servers.DatabaseServer;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.containers.JdbcDatabaseContainer;

/** A database server in a container, with the superuser that servers of its product have here. */
abstract class ContainerDatabase extends ContainerServer implements DatabaseServer {

  private final DatabaseProduct product;
  private final int port;
  private final AtomicInteger databases = new AtomicInteger();

  ContainerDatabase(
      DatabaseProduct product, JdbcDatabaseContainer<?> container, int ownPort, int port) {
    super(prepared(product, container, ownPort, port));
    this.product = product;
    this.port = port;
  }

  private static JdbcDatabaseContainer<?> prepared(
      DatabaseProduct product, JdbcDatabaseContainer<?> container, int ownPort, int port) {
    container.setPortBindings(List.of(port + ":" + ownPort));
    return container.withUsername(product.superuser()).withPassword(product.superuser());
  }

  @Override
  final boolean isReady() {
    try (var connection = ownDatabase().connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public final DatabaseProduct product() {
    return product;
  }

  @Override
  public final int port() {
    return port;
  }

  @Override
  public final Database createDatabase() {
    return createDatabase("db_" + databases.incrementAndGet());
  }
}
