package dev.waybill.servers;

/** What is said differently to a server of either product. */
public enum DatabaseProduct {
  POSTGRESQL("postgresql", "postgres", "postgres", '"'),
  MYSQL("mysql", "root", "mysql", '`');

  private final String protocol;
  private final String superuser;
  private final String ownDatabase;
  private final char quote;

  DatabaseProduct(String protocol, String superuser, String ownDatabase, char quote) {
    this.protocol = protocol;
    this.superuser = superuser;
    this.ownDatabase = ownDatabase;
    this.quote = quote;
  }

  /** Whose password is the same word. */
  public String superuser() {
    return superuser;
  }

  /** The database that each server has from its beginning. */
  String ownDatabase() {
    return ownDatabase;
  }

  String jdbcUrl(int port, String database) {
    return "jdbc:" + protocol + "://127.0.0.1:" + port + "/" + database;
  }

  String createStatement(String database) {
    return "CREATE DATABASE " + quote + database + quote;
  }
}
