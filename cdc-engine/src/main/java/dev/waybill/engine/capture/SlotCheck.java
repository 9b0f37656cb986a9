package dev.waybill.engine.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What makes a slot useless behind a position. */
final class SlotCheck {

  private SlotCheck() {}

  static PostgresSlot behind(
      PostgresPosition start, @Nullable PostgresSlot slot, PostgresNames names) {
    if (slot == null) {
      throw gap(names, start, "does not exist");
    }
    String strangeness = slot.strangeness();
    if (strangeness != null) {
      throw new SourceMisconfiguredException(List.of(strangeness));
    }
    if (slot.isLost()) {
      throw gap(names, start, "has lost log that was not read yet (wal_status 'lost')");
    }
    if (Long.compareUnsigned(slot.confirmedLsn(), start.lsn()) > 0) {
      throw gap(
          names,
          start,
          "was moved to " + PostgresPosition.format(slot.confirmedLsn()) + " by somebody else");
    }
    if (Long.compareUnsigned(slot.logEnd(), start.lsn()) < 0) {
      throw gap(
          names,
          start,
          "belongs to a server whose log ends at "
              + PostgresPosition.format(slot.logEnd())
              + ", as after going back to an older copy of it or failing over to one that was"
              + " behind");
    }
    return slot;
  }

  private static GapException gap(PostgresNames names, PostgresPosition start, String found) {
    return GapException.behind(
        start.lsnText(),
        names.engine(),
        "Replication slot " + names.slot() + " " + found,
        "drop the slot if it is there (SELECT pg_drop_replication_slot('"
            + names.slot()
            + "');), ");
  }
}
