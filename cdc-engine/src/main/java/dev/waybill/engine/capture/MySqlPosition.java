package dev.waybill.engine.capture;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A place in the log of MySQL. GTIDs alone say where it is; the rest helps to notice that the log
 * is another one, and to read it.
 *
 * @param gtids the transactions that are wholly in Kafka
 * @param unfinished how much is in Kafka of the first transaction after them; null if nothing is
 * @param serverUuid the server whose log was read
 * @param place where that server's log was read: proof of a reset, and what tells whether a first
 *     start's rows may still come again
 * @param columns the columns that each table has at this place of the log, see {@link MySqlColumns}
 */
record MySqlPosition(
    GtidSet gtids,
    @Nullable Unfinished unfinished,
    String serverUuid,
    BinlogPlace place,
    SortedMap<TableName, MySqlColumns> columns)
    implements Position {

  private static final String GTIDS = "gtids";
  private static final String GTID = "gtid";
  private static final String ORDINAL = "ordinal";
  private static final String TABLES = "tables";
  private static final String SERVER_UUID = "server_uuid";
  private static final String FILE = "file";
  private static final String POS = "pos";
  private static final String COLUMNS = "columns.";

  /**
   * The beginning of a transaction.
   *
   * @param ordinal how many of its outbox rows are in Kafka, at least 1
   * @param tables whose rows were counted
   */
  record Unfinished(String gtid, long ordinal, String tables) {}

  MySqlPosition {
    columns = Collections.unmodifiableSortedMap(new TreeMap<>(columns));
  }

  static MySqlPosition parse(Map<String, String> stored) {
    return new MySqlPosition(
        GtidSet.parse(value(stored, GTIDS)),
        stored.containsKey(GTID)
            ? new Unfinished(
                value(stored, GTID), Long.parseLong(value(stored, ORDINAL)), value(stored, TABLES))
            : null,
        value(stored, SERVER_UUID),
        new BinlogPlace(value(stored, FILE), Long.parseLong(value(stored, POS))),
        columns(stored));
  }

  private static SortedMap<TableName, MySqlColumns> columns(Map<String, String> stored) {
    SortedMap<TableName, MySqlColumns> columns = new TreeMap<>();
    stored.forEach(
        (key, value) -> {
          if (key.startsWith(COLUMNS)) {
            columns.put(TableName.parse(key.substring(COLUMNS.length())), new MySqlColumns(value));
          }
        });
    return columns;
  }

  private static String value(Map<String, String> stored, String key) {
    String value = stored.get(key);
    if (value == null) {
      throw new IllegalArgumentException("stored position has no " + key + ": " + stored);
    }
    return value;
  }

  /** The same transactions in the log of another server, which took this one's place. */
  MySqlPosition onServer(String uuid, BinlogPlace itsPlace) {
    return new MySqlPosition(gtids, unfinished, uuid, itsPlace, columns);
  }

  MySqlPosition withColumns(SortedMap<TableName, MySqlColumns> all) {
    return new MySqlPosition(gtids, unfinished, serverUuid, place, all);
  }

  @Override
  public Map<String, String> toMap() {
    Map<String, String> stored = new HashMap<>();
    stored.put(GTIDS, gtids.toString());
    if (unfinished != null) {
      stored.put(GTID, unfinished.gtid());
      stored.put(ORDINAL, Long.toString(unfinished.ordinal()));
      stored.put(TABLES, unfinished.tables());
    }
    stored.put(SERVER_UUID, serverUuid);
    stored.put(FILE, place.file());
    stored.put(POS, Long.toString(place.pos()));
    columns.forEach((table, its) -> stored.put(COLUMNS + table, its.definition()));
    return Map.copyOf(stored);
  }
}
