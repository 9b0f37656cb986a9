package dev.waybill.servers;

import java.sql.SQLException;

/** A database server on this machine that tests and the demo may do anything to. */
public interface DatabaseServer extends Server {

  DatabaseProduct product();

  int port();

  /** The address of a database of this server, whether it exists or not. */
  default String jdbcUrl(String database) {
    return product().jdbcUrl(port(), database);
  }

  /** The superuser's name. */
  default String user() {
    return product().superuser();
  }

  /** The superuser's password. */
  default String password() {
    return product().superuser();
  }

  /** The database that is there from the beginning. */
  default Database ownDatabase() {
    return database(product().ownDatabase());
  }

  /** Makes a database of that name. */
  default Database createDatabase(String name) {
    try {
      ownDatabase().execute(product().createStatement(name));
      return database(name);
    } catch (SQLException e) {
      throw new IllegalStateException("could not create database " + name, e);
    }
  }

  /** Makes a database with a name that no other one on this server has. */
  Database createDatabase();

  private Database database(String name) {
    return new Database(name, jdbcUrl(name), user(), password());
  }
}
