package dev.waybill.outbox;

/** The kinds of database a consumer can keep its guard tables in. */
public enum ConsumerDatabase {
  POSTGRESQL("postgresql"),
  MYSQL("mysql"),
  /** For tests: not a stand-in for the behaviour of a real database. */
  H2("h2");

  private final String folder;

  ConsumerDatabase(String folder) {
    this.folder = folder;
  }

  String folder() {
    return folder;
  }
}
