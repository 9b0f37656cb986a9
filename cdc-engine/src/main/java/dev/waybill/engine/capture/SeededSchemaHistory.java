package dev.waybill.engine.capture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.config.Configuration;
import io.debezium.relational.history.AbstractSchemaHistory;
import io.debezium.relational.history.HistoryRecord;
import io.debezium.relational.history.HistoryRecordComparator;
import io.debezium.relational.history.SchemaHistoryListener;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What Debezium remembers of tables: nothing but those it is given to start with, since it is never
 * started twice. Made by Debezium; confined to the thread that starts it.
 */
public final class SeededSchemaHistory extends AbstractSchemaHistory {

  /** The setting that holds {@code MySqlPosition.columns} as a JSON object. */
  static final String TABLES = CONFIGURATION_FIELD_PREFIX_STRING + "waybill.tables";

  /** The setting that holds the place of the log where those are the columns, as JSON. */
  static final String PLACE = CONFIGURATION_FIELD_PREFIX_STRING + "waybill.place";

  /** The setting that holds the name by which Debezium calls the server. */
  static final String SERVER = CONFIGURATION_FIELD_PREFIX_STRING + "waybill.server";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Map<String, String> tables = Map.of();
  private Map<String, Object> place = Map.of();
  private Map<String, String> server = Map.of();

  @Override
  public void configure(
      Configuration config,
      HistoryRecordComparator comparator,
      SchemaHistoryListener listener,
      boolean useCatalogBeforeSchema) {
    super.configure(config, comparator, listener, useCatalogBeforeSchema);
    try {
      tables = JSON.readValue(config.getString(TABLES), new TypeReference<>() {});
      place = JSON.readValue(config.getString(PLACE), new TypeReference<>() {});
      server = Map.of("server", config.getString(SERVER));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not what MySqlProperties writes: " + config, e);
    }
  }

  static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(value.toString(), e);
    }
  }

  @Override
  protected void recoverRecords(Consumer<HistoryRecord> records) {
    new TreeMap<>(tables)
        .forEach(
            (name, definition) -> {
              TableName table = TableName.parse(name);
              String create = new MySqlColumns(definition).createStatement(table);
              records.accept(
                  new HistoryRecord(
                      server, place, table.schema(), null, create, null, Instant.EPOCH));
            });
  }

  @Override
  protected void storeRecord(HistoryRecord record) {
    // A new engine is given the columns by our position.
  }

  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public boolean storageExists() {
    return true;
  }
}
