package dev.waybill.consumer.guard;

/** What the version of an event means beside the last one of its aggregate. Pure. */
final class VersionRule {

  private VersionRule() {}

  static Verdict judge(long version, long last, GapPolicy gaps) {
    if (version <= last) {
      return new Verdict.Stale(last);
    }
    // Not last + 1, which overflows at the largest version.
    if (version - 1 == last) {
      return new Verdict.Admitted(Passage.IN_ORDER);
    }
    return gaps == GapPolicy.ACCEPT
        ? new Verdict.Admitted(Passage.ACROSS_GAP)
        : new Verdict.Gap(last, gaps);
  }
}
