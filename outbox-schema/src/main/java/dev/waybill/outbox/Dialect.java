package dev.waybill.outbox;

/** The kinds of database an outbox can live in. */
public enum Dialect {
  POSTGRESQL("postgresql");

  private final String folder;

  Dialect(String folder) {
    this.folder = folder;
  }

  String folder() {
    return folder;
  }
}
