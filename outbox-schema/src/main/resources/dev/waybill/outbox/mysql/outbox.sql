-- Waybill: the outbox table, MySQL 8.0.17 or newer. For any migration tool.
--
-- The application inserts a row in the transaction that it is about, and does nothing else. Each
-- committed row becomes one event; UPDATE and DELETE never do. Rows are not needed once they are
-- published, but keep them for some days: a repair publishes from here.
--
-- The collation tells texts apart by their bytes, blanks at the end included.

CREATE TABLE outbox_event (
  -- the order of insertion; not the order of commits
  id                BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  -- unique for ever, made once by the producer: a UUIDv7 or any other text
  event_id          VARCHAR(64) NOT NULL UNIQUE CHECK (event_id <> ''),
  -- what it happened to; the id is the key by which events stay in order
  aggregate_type    VARCHAR(64) NOT NULL CHECK (aggregate_type <> ''),
  aggregate_id      VARCHAR(255) NOT NULL CHECK (aggregate_id <> ''),
  -- 1, 2, 3 ... per aggregate; NULL where the producer keeps none
  aggregate_version BIGINT CHECK (aggregate_version > 0),
  -- what happened, such as OrderPaid, and the version of the payload's schema
  event_type        VARCHAR(128) NOT NULL CHECK (event_type <> ''),
  event_version     INT NOT NULL DEFAULT 1 CHECK (event_version > 0),
  -- instead of the topic and the key that follow from the aggregate; normally NULL
  topic             VARCHAR(249),
  event_key         VARCHAR(255),
  -- the event; a text keeps its characters, the JSON type would not; NULL is a tombstone
  payload           LONGTEXT CHECK (JSON_VALID(payload)),
  -- an object of strings, each becomes a header of the record: {"traceparent": "00-..."}
  headers           LONGTEXT CHECK (JSON_VALID(headers) AND JSON_TYPE(headers) = 'OBJECT'),
  -- in UTC, whatever the time zone of the session
  occurred_at       DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
