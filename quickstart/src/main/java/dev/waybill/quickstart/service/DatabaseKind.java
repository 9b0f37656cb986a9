package dev.waybill.quickstart.service;

import dev.waybill.outbox.Outbox;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of database that a service can run on, and what each wants said differently. */
public enum DatabaseKind {
  POSTGRESQL("PostgreSQL", "postgres", "jdbc:postgresql:") {
    @Override
    public Outbox outbox() {
      return Outbox.postgresql();
    }

    @Override
    public String insertIfNew(String insert) {
      return insert + " ON CONFLICT DO NOTHING";
    }

    @Override
    public String insertOrAdd(String table, String key, String number) {
      return """
          INSERT INTO %1$s (%2$s, %3$s) VALUES (?, ?)
          ON CONFLICT (%2$s) DO UPDATE SET %3$s = %1$s.%3$s + excluded.%3$s
          """
          .formatted(table, key, number);
    }
  },
  MYSQL("MySQL", "mysql", "jdbc:mysql:") {
    @Override
    public Outbox outbox() {
      return Outbox.mysql();
    }

    @Override
    public String insertIfNew(String insert) {
      return insert.replaceFirst("INSERT", "INSERT IGNORE");
    }

    @Override
    public String insertOrAdd(String table, String key, String number) {
      return """
          INSERT INTO %1$s (%2$s, %3$s) VALUES (?, ?) AS added
          ON DUPLICATE KEY UPDATE %3$s = %1$s.%3$s + added.%3$s
          """
          .formatted(table, key, number);
    }
  };

  private final String product;
  private final String type;
  private final String urlPrefix;

  DatabaseKind(String product, String type, String urlPrefix) {
    this.product = product;
    this.type = type;
    this.urlPrefix = urlPrefix;
  }

  /** As people call it. */
  public String product() {
    return product;
  }

  /** As the engine's configuration names it, and the demo's command line. */
  public String type() {
    return type;
  }

  public static Optional<DatabaseKind> ofType(String type) {
    return Arrays.stream(values()).filter(kind -> kind.type.equals(type)).findFirst();
  }

  static DatabaseKind ofUrl(String url) {
    return Arrays.stream(values())
        .filter(kind -> url.startsWith(kind.urlPrefix))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("No service runs on " + url));
  }

  public abstract Outbox outbox();

  /** The statement, but with a count of 0 where it would violate the table's key. */
  public abstract String insertIfNew(String insert);

  /** With a key and a number as parameters: the number is added to that of the key. */
  public abstract String insertOrAdd(String table, String key, String number);
}
