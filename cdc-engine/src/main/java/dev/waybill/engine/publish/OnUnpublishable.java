package dev.waybill.engine.publish;

/** What becomes of a row that cannot be published; {@code source.on-unpublishable}. */
public enum OnUnpublishable {
  /** It is set aside in {@code waybill.<engine>.parked}, and the others go on. */
  PARK,

  /** Everything before it is published, then the engine stops and nothing goes past it. */
  STOP
}
