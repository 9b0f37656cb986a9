-- Waybill: what a consumer remembers, PostgreSQL 14 or newer. Belongs into the database that the
-- consumer's handlers write to. For any migration tool.

-- One row for each event that took effect. Rows older than the longest possible replay may go.
CREATE TABLE consumed_event (
  consumer_group varchar(255) COLLATE "C" NOT NULL,
  event_id       varchar(64) COLLATE "C" NOT NULL,
  event_type     varchar(255),
  consumed_at    timestamptz NOT NULL DEFAULT now(),
  -- SHA-256 of the payload
  payload_hash   bytea,
  -- who inserted the row: tells one's own rows from those of others in a batch
  claim_token    varchar(64),
  PRIMARY KEY (consumer_group, event_id)
);

CREATE INDEX consumed_event_consumed_at ON consumed_event (consumed_at);

-- One row for each aggregate, with the version of the last event that took effect. Never cleaned.
CREATE TABLE aggregate_version (
  consumer_group varchar(255) COLLATE "C" NOT NULL,
  aggregate_type varchar(64) COLLATE "C" NOT NULL,
  aggregate_id   varchar(255) COLLATE "C" NOT NULL,
  version        bigint NOT NULL,
  -- grows when an aggregate is deleted and made anew
  incarnation    bigint NOT NULL DEFAULT 1,
  updated_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer_group, aggregate_type, aggregate_id)
);
