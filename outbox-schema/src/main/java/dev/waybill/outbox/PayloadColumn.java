package dev.waybill.outbox;

/** What the payload column can hold. */
public enum PayloadColumn {
  /** json, jsonb or text, in MySQL LONGTEXT or JSON: takes JSON payloads. */
  TEXT,
  /** bytea, in MySQL LONGBLOB: takes binary payloads, and JSON as UTF-8. */
  BINARY
}
