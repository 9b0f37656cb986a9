-- Waybill: the outbox table for binary payloads (Avro, Protobuf), PostgreSQL 14 or newer. For any
-- migration tool. Apply this file or outbox.sql, not both.
--
-- The application inserts a row in the transaction that it is about, and does nothing else. Each
-- committed row becomes one event; UPDATE and DELETE never do. Rows are not needed once they are
-- published, but keep them for some days: a repair publishes from here.

CREATE TABLE outbox_event (
  -- the order of insertion; not the order of commits
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- unique for ever, made once by the producer: a UUIDv7 or any other text
  event_id          varchar(64) COLLATE "C" NOT NULL UNIQUE CHECK (event_id <> ''),
  -- what it happened to; the id is the key by which events stay in order
  aggregate_type    varchar(64) NOT NULL CHECK (aggregate_type <> ''),
  aggregate_id      varchar(255) NOT NULL CHECK (aggregate_id <> ''),
  -- 1, 2, 3 ... per aggregate; NULL where the producer keeps none
  aggregate_version bigint CHECK (aggregate_version > 0),
  -- what happened, such as OrderPaid, and the version of the payload's schema
  event_type        varchar(128) NOT NULL CHECK (event_type <> ''),
  event_version     integer NOT NULL DEFAULT 1 CHECK (event_version > 0),
  -- instead of the topic and the key that follow from the aggregate; normally NULL
  topic             varchar(249),
  event_key         varchar(255),
  -- the event; NULL is a tombstone
  payload           bytea,
  -- an object of strings, each becomes a header of the record: {"traceparent": "00-..."}
  headers           json CHECK (json_typeof(headers) = 'object'),
  occurred_at       timestamptz NOT NULL DEFAULT now()
);
