package dev.waybill.consumer.guard;

/** What becomes of an event whose version skips one or more. */
public enum GapPolicy {
  /**
   * The event is parked, and so are the later ones of its aggregate until the missing version came:
   * nothing takes effect out of order. A version that was parked for another reason is missing,
   * too.
   */
  PARK,
  /**
   * The event is handled and its outcome is a gap. A missing version that comes later is stale, and
   * has no effect.
   */
  ACCEPT,
  /** As if the handler had failed: tried again by the retry policy, then parked. */
  FAIL
}
