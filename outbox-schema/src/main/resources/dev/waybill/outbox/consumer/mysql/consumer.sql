-- Waybill: what a consumer remembers, MySQL 8.0.17 or newer. Belongs into the database that the
-- consumer's handlers write to. For any migration tool.
--
-- The collation tells texts apart by their bytes, blanks at the end included; under another one two
-- events can be taken for one.

-- One row for each event that took effect. Rows older than the longest possible replay may go.
CREATE TABLE consumed_event (
  consumer_group VARCHAR(255) NOT NULL,
  event_id       VARCHAR(64) NOT NULL,
  event_type     VARCHAR(255),
  -- in UTC, whatever the time zone of the session
  consumed_at    DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  -- SHA-256 of the payload
  payload_hash   VARBINARY(32),
  -- who inserted the row: tells one's own rows from those of others in a batch
  claim_token    VARCHAR(64),
  PRIMARY KEY (consumer_group, event_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX consumed_event_consumed_at ON consumed_event (consumed_at);

-- One row for each aggregate, with the version of the last event that took effect. Never cleaned.
CREATE TABLE aggregate_version (
  consumer_group VARCHAR(255) NOT NULL,
  aggregate_type VARCHAR(64) NOT NULL,
  aggregate_id   VARCHAR(255) NOT NULL,
  version        BIGINT NOT NULL,
  -- grows when an aggregate is deleted and made anew
  incarnation    BIGINT NOT NULL DEFAULT 1,
  -- in UTC, whatever the time zone of the session
  updated_at     DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  PRIMARY KEY (consumer_group, aggregate_type, aggregate_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
