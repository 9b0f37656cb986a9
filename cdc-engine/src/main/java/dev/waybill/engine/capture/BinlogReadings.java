package dev.waybill.engine.capture;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.SSLMode;
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
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings each reading of a binary log together with its {@link BinlogGuard} and {@link BinlogTls}.
 * Found by Debezium's service loader, when its client is made and not yet connected; readings that
 * are not ours go on without.
 */
public final class BinlogReadings implements SignalActionProvider {

  private static final Map<String, Reading> BY_NAME = new ConcurrentHashMap<>();

  /**
   * @param properties what Debezium was told
   */
  private record Reading(BinlogGuard guard, Properties properties) {}

  static void put(String reading, BinlogGuard guard, Properties properties) {
    BY_NAME.put(reading, new Reading(guard, properties));
  }

  static void remove(String reading) {
    BY_NAME.remove(reading);
  }

  @Override
  public <P extends Partition> Map<String, SignalAction<P>> createActions(
      EventDispatcher<P, ? extends DataCollectionId> dispatcher,
      ChangeEventSourceCoordinator<P, ?> coordinator,
      CommonConnectorConfig config) {
    Reading reading = BY_NAME.get(config.getLogicalName());
    if (reading != null) {
      BinlogStreamingChangeEventSource<?, ?> source =
          (BinlogStreamingChangeEventSource<?, ?>) coordinator.getStreamingSource().orElseThrow();
      BinaryLogClient client = source.getBinaryLogClient();
      if (client.getSSLMode() != SSLMode.DISABLED) {
        client.setSslSocketFactory(BinlogTls.of(reading.properties(), client.getSSLMode()));
      }
      reading
          .guard()
          .attach(
              source,
              Objects.requireNonNull(
                  config
                      .getBeanRegistry()
                      .lookupByName(
                          StandardBeanNames.DATABASE_SCHEMA, RelationalDatabaseSchema.class)));
    }
    return Map.of();
  }
}
