package dev.waybill.engine.capture;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * A JDBC URL taken apart, since Debezium wants its parts.
 *
 * @param parameters what follows the question mark
 */
record PostgresUrl(String host, String port, String database, Map<String, String> parameters) {

  private static final List<String> LOGIN = List.of("user", "password");

  static void addProblems(String url, List<String> problems) {
    Properties parsed = parse(url);
    if (parsed == null) {
      problems.add("source.url must look like jdbc:postgresql://host:5432/database");
      return;
    }
    if (parsed.getProperty("PGHOST", "").contains(",")) {
      problems.add("source.url must name one host: logical decoding reads from one server");
    }
    for (String login : LOGIN) {
      if (parsed.containsKey(login)) {
        problems.add(
            "source.url must not hold the %s, for it is printed: that belongs into source.%s"
                .formatted(login, login));
      }
    }
  }

  static PostgresUrl of(String url) {
    Properties parsed = parse(url);
    if (parsed == null) {
      throw new IllegalArgumentException("no JDBC URL of PostgreSQL: " + url);
    }
    Map<String, String> parameters = new TreeMap<>();
    for (String name : parsed.stringPropertyNames()) {
      if (!name.startsWith("PG")) {
        parameters.put(name, parsed.getProperty(name));
      }
    }
    return new PostgresUrl(
        parsed.getProperty("PGHOST"),
        parsed.getProperty("PGPORT"),
        parsed.getProperty("PGDBNAME"),
        Map.copyOf(parameters));
  }

  private static @Nullable Properties parse(String url) {
    Properties parsed = Driver.parseURL(url, new Properties());
    return parsed == null || parsed.getProperty("PGDBNAME") == null ? null : parsed;
  }
}
