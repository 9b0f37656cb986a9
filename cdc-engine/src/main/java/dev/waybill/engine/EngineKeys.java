package dev.waybill.engine;

import static dev.waybill.engine.settings.Type.bool;
import static dev.waybill.engine.settings.Type.choice;
import static dev.waybill.engine.settings.Type.duration;
import static dev.waybill.engine.settings.Type.integer;
import static dev.waybill.engine.settings.Type.matching;
import static dev.waybill.engine.settings.Type.number;
import static dev.waybill.engine.settings.Type.text;

import dev.waybill.engine.capture.FirstStart;
import dev.waybill.engine.capture.SourceConfig;
import dev.waybill.engine.capture.TableName;
import dev.waybill.engine.publish.OnUnpublishable;
import dev.waybill.engine.route.HeaderFormat;
import dev.waybill.engine.settings.Key;
import dev.waybill.engine.settings.Keys;
import dev.waybill.engine.settings.Type;
import dev.waybill.wire.TopicTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Every key of an engine's configuration, in the order of {@code docs/configuration.md}. */
final class EngineKeys {

  static final String DEBEZIUM = "source.debezium.";
  static final String COLUMNS = "source.columns.";
  static final String KAFKA = "publish.kafka.";

  private static final Duration MILLI = Duration.ofMillis(1);

  static final Key<String> NAME =
      Key.required(
          "engine.name",
          matching("1 to 40 of a-z, 0-9 and _", Pattern.compile("[a-z0-9_]{1,40}")),
          "names the engine; the topics `waybill.<name>.progress` and `waybill.<name>.parked`"
              + " derive from it, on PostgreSQL the replication slot and the publication"
              + " `waybill_<name>`, on MySQL the server id");

  static final Key<SourceConfig.Type> SOURCE_TYPE =
      Key.of("source.type", choice(SourceConfig.Type.class), "postgres", "the kind of database");

  static final Key<String> SOURCE_URL =
      Key.required(
          "source.url",
          text(),
          "the JDBC URL of the database, with one host and neither user nor password");

  static final Key<String> SOURCE_USER =
      Key.required("source.user", text(), "the user that may read the table and replicate");

  static final Key<String> SOURCE_PASSWORD =
      Key.optional("source.password", text(), "that user's password").secret();

  static final Key<List<TableName>> SOURCE_TABLE =
      Key.optional(
          "source.table",
          new Type<>("a table as schema.table", TableName::parse).list(),
          "the outbox table, or a list of them, on MySQL as database.table; names are taken as they"
              + " are written. By default `public.outbox_event`, on MySQL `outbox_event` in the"
              + " database of `source.url`");

  static final Key<Long> SOURCE_SERVER_ID =
      Key.optional(
          "source.server-id",
          number(1, 4_294_967_295L),
          "MySQL only: the number under which the engine reads the log, which no other reader and"
              + " no server of the topology may have; by default it follows from the engine's name");

  static final Key<SourceConfig.Layout> SOURCE_LAYOUT =
      Key.of(
          "source.layout",
          choice(
              Map.of(
                  "waybill", SourceConfig.Layout.NATIVE, "debezium", SourceConfig.Layout.DEBEZIUM)),
          "waybill",
          "the shape of the table: `waybill` is `outbox_event` as `waybill schema` makes it,"
              + " `debezium` the table of Debezium's outbox event router");

  static final Key<FirstStart.Rows> SOURCE_FIRST_START =
      Key.of(
          "source.first-start",
          choice(Map.of("existing", FirstStart.Rows.EXISTING, "now", FirstStart.Rows.NONE)),
          "existing",
          "what the first start does with rows that are in the table already: `existing` publishes"
              + " them, `now` leaves them out");

  static final Key<OnUnpublishable> ON_UNPUBLISHABLE =
      Key.of(
          "source.on-unpublishable",
          choice(OnUnpublishable.class)
              .refusing(
                  "park-aggregate", "park-aggregate comes with a later version; use park or stop"),
          "park",
          "what becomes of a row that cannot be published: `park` sets it aside in"
              + " `waybill.<name>.parked`, `stop` ends the engine with exit code 1");

  static final Key<Duration> HEARTBEAT =
      Key.of(
          "source.heartbeat",
          duration(MILLI.multipliedBy(100), Duration.ofMinutes(10)),
          "5s",
          "how often the source may forget log while no event is written");

  static final Key<Duration> POLL_INTERVAL =
      Key.of(
          "source.poll-interval",
          duration(MILLI, Duration.ofMinutes(1)),
          "10ms",
          "how long a batch waits to fill; the largest part of the delay");

  static final Key<Integer> BATCH_SIZE =
      Key.of("source.batch-size", integer(1, 1_000_000), "2048", "events in a batch, at most");

  static final Key<Integer> QUEUE_SIZE =
      Key.of(
          "source.queue-size",
          integer(2, 10_000_000),
          "8192",
          "changes read ahead, at most; more than the batch size");

  static final Key<Integer> QUEUE_BYTES =
      Key.of(
          "source.queue-bytes",
          integer(0, Integer.MAX_VALUE),
          "67108864",
          "bytes read ahead, about; 0 for no limit but the queue size");

  static final Key<TopicTemplate> TOPIC =
      Key.optional(
          "route.topic",
          new Type<>("a topic name, which may contain {aggregate_type}", TopicTemplate::parse),
          "where an event goes whose row names no topic; by default `events.{aggregate_type}`, for"
              + " the debezium layout `outbox.event.{aggregate_type}`");

  static final Key<String> CE_SOURCE =
      Key.optional(
          "route.source", text(), "the `ce_source` of every event; by default `/waybill/<name>`");

  static final Key<String> GUARANTEE =
      Key.of(
          "publish.guarantee",
          choice(Map.of("at-least-once", "at-least-once"))
              .refusing(
                  "exactly-once",
                  "exactly-once comes with a later version; this one publishes at-least-once, and"
                      + " consumers that guard their effects take each event once all the same"),
          "at-least-once",
          "after a crash the last events may be published again, with the same ids and bytes");

  static final Key<HeaderFormat> HEADERS =
      Key.optional(
          "publish.headers",
          choice(HeaderFormat.class),
          "`cloudevents` (CloudEvents 1.0, binary mode) or `debezium` (those of Debezium's outbox"
              + " event router); by default what belongs to the layout");

  static final Key<Integer> REPLICATION =
      Key.optional(
          "publish.replication-factor",
          integer(1, 100),
          "copies of the topics that the engine makes for itself; by default the broker's setting");

  static final Key<Boolean> HTTP_ENABLED =
      Key.of("http.enabled", bool(), "true", "whether health and metrics are served");

  static final Key<String> HTTP_HOST =
      Key.of(
          "http.host",
          text(),
          "127.0.0.1",
          "the address to listen on; `0.0.0.0` for everybody, as in a container");

  static final Key<Integer> HTTP_PORT =
      Key.of("http.port", integer(0, 65_535), "8089", "0 for any free port, which is logged");

  static final Key<Duration> BACK_OFF_FIRST =
      Key.of(
          "supervisor.back-off-first",
          duration(MILLI, Duration.ofMinutes(10)),
          "500ms",
          "the pause after the first failure; it doubles with each one in a row");

  static final Key<Duration> BACK_OFF_LONGEST =
      Key.of(
          "supervisor.back-off-longest",
          duration(MILLI, Duration.ofHours(1)),
          "10s",
          "the longest pause between attempts to reach source and broker");

  static final Key<Duration> STOP_TIMEOUT =
      Key.of(
          "supervisor.stop-timeout",
          duration(MILLI, Duration.ofMinutes(10)),
          "8s",
          "the longest that a clean stop takes");

  static final Key<Duration> MEASURE_EVERY =
      Key.of(
          "supervisor.measure-every",
          duration(MILLI.multipliedBy(100), Duration.ofHours(1)),
          "10s",
          "how often the source is asked how much log it retains");

  static final Keys ALL =
      new Keys(
          List.of(
              NAME,
              SOURCE_TYPE,
              SOURCE_URL,
              SOURCE_USER,
              SOURCE_PASSWORD,
              SOURCE_TABLE,
              SOURCE_SERVER_ID,
              SOURCE_LAYOUT,
              SOURCE_FIRST_START,
              ON_UNPUBLISHABLE,
              HEARTBEAT,
              POLL_INTERVAL,
              BATCH_SIZE,
              QUEUE_SIZE,
              QUEUE_BYTES,
              TOPIC,
              CE_SOURCE,
              GUARANTEE,
              HEADERS,
              REPLICATION,
              HTTP_ENABLED,
              HTTP_HOST,
              HTTP_PORT,
              BACK_OFF_FIRST,
              BACK_OFF_LONGEST,
              STOP_TIMEOUT,
              MEASURE_EVERY),
          Map.of(
              COLUMNS,
                  "columns that are called otherwise than in the layout: `event_id: message_id`",
              DEBEZIUM, "properties of the Debezium connector, as they are",
              KAFKA, "properties of the Kafka clients, as they are; `bootstrap.servers` at least"));

  private EngineKeys() {}
}
