package dev.waybill.quickstart.demo;

import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the three databases say: the orders, which are the truth, and what became of them. Reads on
 * connections of its own, through no part of Waybill.
 */
final class Books {

  private static final String ORDERS =
      "SELECT count(*), coalesce(sum(quantity), 0), coalesce(sum(floor(total_cents / 100)), 0) FROM orders";
  private static final String RESERVED = "SELECT coalesce(sum(reserved), 0) FROM stock";
  private static final String GRANTED = "SELECT coalesce(sum(points), 0) FROM account";

  private final Database orders;
  private final Database inventory;
  private final Database points;

  Books(Database orders, Database inventory, Database points) {
    this.orders = orders;
    this.inventory = inventory;
    this.points = points;
  }

  /**
   * How far everything has come.
   *
   * @param placed how many orders there are
   * @param pieces of the orders, which are to be reserved
   * @param reserved how many pieces are
   * @param points for the orders, which are to be granted
   * @param granted how many points are
   */
  record Standing(long placed, long pieces, long reserved, long points, long granted) {

    boolean isSettled() {
      return reserved >= pieces && granted >= points;
    }
  }

  /** What there is to compare. */
  record Balance(Standing standing, Comparison stock, Comparison points) {

    boolean matches() {
      return stock.matches() && points.matches();
    }
  }

  /**
   * What should have come of the orders, and what has, entry by entry.
   *
   * @param expected from the orders
   * @param found in the service's database
   */
  record Comparison(Map<String, Long> expected, Map<String, Long> found) {

    boolean matches() {
      return expected.equals(found);
    }

    long expectedSum() {
      return sum(expected);
    }

    long foundSum() {
      return sum(found);
    }

    /** For people: the entries that differ, expected and found. */
    String differences() {
      Set<String> keys = new TreeSet<>(expected.keySet());
      keys.addAll(found.keySet());
      return keys.stream()
          .filter(key -> !Objects.equals(expected.get(key), found.get(key)))
          .map(key -> key + " " + expected.get(key) + " but " + found.get(key))
          .collect(Collectors.joining(", "));
    }

    private static long sum(Map<String, Long> entries) {
      return entries.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Everything, once nothing moves any more. */
  Balance balance() throws SQLException {
    return new Balance(standing(), stock(), points());
  }

  Standing standing() throws SQLException {
    List<Long> placed = numbers(orders, ORDERS);
    return new Standing(
        placed.get(0),
        placed.get(1),
        numbers(inventory, RESERVED).get(0),
        placed.get(2),
        numbers(points, GRANTED).get(0));
  }

  /** Pieces, product by product. */
  private Comparison stock() throws SQLException {
    return new Comparison(
        entries(orders, "SELECT product, sum(quantity) FROM orders GROUP BY product"),
        entries(inventory, "SELECT product, reserved FROM stock"));
  }

  /** Points, customer by customer. */
  private Comparison points() throws SQLException {
    return new Comparison(
        entries(
            orders, "SELECT customer, sum(floor(total_cents / 100)) FROM orders GROUP BY customer"),
        entries(points, "SELECT customer, points FROM account"));
  }

  private static List<Long> numbers(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<Long> numbers = new ArrayList<>();
      rows.next();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        numbers.add(rows.getLong(i));
      }
      return numbers;
    }
  }

  private static Map<String, Long> entries(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      Map<String, Long> entries = new TreeMap<>();
      while (rows.next()) {
        entries.put(rows.getString(1), rows.getLong(2));
      }
      return entries;
    }
  }
}
