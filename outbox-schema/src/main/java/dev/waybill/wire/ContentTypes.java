package dev.waybill.wire;

/** The media types that follow from the type of the payload column. */
public final class ContentTypes {

  /** Of json, jsonb and text columns. */
  public static final String JSON = "application/json";

  /** Of binary columns. */
  public static final String BINARY = "application/octet-stream";

  private ContentTypes() {}
}
