package dev.waybill.engine.capture;

/**
 * The rows that a first start has published from its snapshot although the log shows them again:
 * GTIDs are read before the snapshot is opened, and what is committed in between is in both.
 * Confined to the thread that reads the log.
 */
interface Overlap {

  Overlap NONE =
      new Overlap() {
        @Override
        public boolean covers(Change change) {
          return false;
        }

        @Override
        public BinlogPlace end() {
          return new BinlogPlace("none.0", 0);
        }
      };

  /** Whether the snapshot held this row, with this event. */
  boolean covers(Change change);

  /** The end of the log once the snapshot was open: whatever begins behind it is not covered. */
  BinlogPlace end();
}
