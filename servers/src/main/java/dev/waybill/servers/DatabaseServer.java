package dev.waybill.servers;

/** A database server that tests and the demo may do anything to. */
public interface DatabaseServer extends Server {

  /** The address of a database of this server, whether it exists or not. */
  String jdbcUrl(String database);

  /** The superuser's name. */
  String user();

  /** The superuser's password. */
  String password();

  /** Makes a database of that name. */
  Database createDatabase(String name);

  /** Makes a database with a name that no other one on this server has. */
  Database createDatabase();
}
