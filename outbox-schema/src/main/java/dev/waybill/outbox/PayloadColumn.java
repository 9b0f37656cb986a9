package dev.waybill.outbox;

/** What the payload column can hold. */
public enum PayloadColumn {
  /** json, jsonb or text: takes JSON payloads. */
  TEXT,
  /** bytea: takes binary payloads, and JSON as UTF-8. */
  BINARY
}
