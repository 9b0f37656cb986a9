package dev.waybill.engine.capture;

import io.debezium.bean.StandardBeanNames;
import io.debezium.config.CommonConnectorConfig;
import io.debezium.connector.binlog.BinlogStreamingChangeEventSource;
import io.debezium.pipeline.ChangeEventSourceCoordinator;
import io.debezium.pipeline.EventDispatcher;
import io.debezium.pipeline.signal.actions.SignalAction;
import io.debezium.pipeline.signal.actions.SignalActionProvider;
import io.debezium.pipeline.spi.Partition;
import io.debezium.relational.RelationalDatabaseSchema;
import io.debezium.spi.schema.DataCollectionId;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings each reading of a binary log together with its {@link BinlogGuard}. Found by Debezium's
 * service loader, when its client is made and not yet connected; readings that are not ours go on
 * without.
 */
public final class BinlogGuards implements SignalActionProvider {

  private static final Map<String, BinlogGuard> BY_READING = new ConcurrentHashMap<>();

  static void put(String reading, BinlogGuard guard) {
    BY_READING.put(reading, guard);
  }

  static void remove(String reading) {
    BY_READING.remove(reading);
  }

  @Override
  public <P extends Partition> Map<String, SignalAction<P>> createActions(
      EventDispatcher<P, ? extends DataCollectionId> dispatcher,
      ChangeEventSourceCoordinator<P, ?> coordinator,
      CommonConnectorConfig config) {
    BinlogGuard guard = BY_READING.get(config.getLogicalName());
    if (guard != null) {
      guard.attach(
          (BinlogStreamingChangeEventSource<?, ?>) coordinator.getStreamingSource().orElseThrow(),
          Objects.requireNonNull(
              config
                  .getBeanRegistry()
                  .lookupByName(
                      StandardBeanNames.DATABASE_SCHEMA, RelationalDatabaseSchema.class)));
    }
    return Map.of();
  }
}
