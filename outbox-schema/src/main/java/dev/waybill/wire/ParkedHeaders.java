package dev.waybill.wire;

/**
 * What is written beside a parked event: why, and where it came from. They are added behind the
 * record's own headers, which stay as they were, and all begin with {@link #PREFIX}, so that a
 * redrive can take them off again. Values are UTF-8 text, numbers in decimal digits, times in RFC
 * 3339 UTC.
 */
public final class ParkedHeaders {

  public static final String PREFIX = "waybill_parked_";

  /** A sentence for people. */
  public static final String REASON = "waybill_parked_reason";

  /** The event id, as the row or the record has it, legal or not. */
  public static final String EVENT_ID = "waybill_parked_event_id";

  /** Engine: the primary key of the row. */
  public static final String ROW_ID = "waybill_parked_row_id";

  /** Engine: the table of the row, as {@code schema.table}. */
  public static final String TABLE = "waybill_parked_table";

  /**
   * Engine: the number of bytes of a value that was too large for the broker and left out; the
   * event is still in the outbox. Absent when the value is there.
   */
  public static final String VALUE_LEFT_OUT = "waybill_parked_value_left_out";

  /**
   * Engine: the number of the event's own headers, which were left out with its key because even
   * without its value the event was too large to park. Absent when they are there.
   */
  public static final String HEADERS_LEFT_OUT = "waybill_parked_headers_left_out";

  /** Engine: the text of the headers column, when it could not be made into headers. */
  public static final String ROW_HEADERS = "waybill_parked_row_headers";

  /** Engine: when it was parked. */
  public static final String PARKED_AT = "waybill_parked_at";

  /** Where the event was, or would have gone. */
  public static final String TOPIC = "waybill_parked_topic";

  /** Consumer: the partition the event was read from. */
  public static final String PARTITION = "waybill_parked_partition";

  /** Consumer: the offset the event was read from. */
  public static final String OFFSET = "waybill_parked_offset";

  /** Consumer: the time of the record that was read; the parked record has its own. */
  public static final String TIMESTAMP = "waybill_parked_timestamp";

  /** Consumer: the group that could not handle it. */
  public static final String GROUP = "waybill_parked_group";

  /** Consumer: how often the handler was called. */
  public static final String ATTEMPTS = "waybill_parked_attempts";

  /** Consumer: the class of the last failure. */
  public static final String EXCEPTION = "waybill_parked_exception";

  /** Consumer: the message of the last failure. */
  public static final String MESSAGE = "waybill_parked_message";

  /** Consumer: the stack of the last failure, bounded in length. */
  public static final String STACK = "waybill_parked_stack";

  /** Consumer: when the first attempt failed. */
  public static final String FIRST_FAILED_AT = "waybill_parked_first_failed_at";

  /** Consumer: when the last attempt failed. */
  public static final String LAST_FAILED_AT = "waybill_parked_last_failed_at";

  private ParkedHeaders() {}

  /** Whether a header says something about parking, and not about the event. */
  public static boolean isParkedHeader(String name) {
    return name.startsWith(PREFIX);
  }
}
