package dev.waybill.consumer.guard;

/** How an admitted event passed the version guard. */
public enum Passage {
  /** Its version follows the last one, is a baseline, or nobody asked for versions. */
  IN_ORDER,
  /** It has no aggregate version although the version guard asked for one. */
  UNVERSIONED,
  /** Its version skips one or more, which {@link GapPolicy#ACCEPT} allows. */
  ACROSS_GAP
}
