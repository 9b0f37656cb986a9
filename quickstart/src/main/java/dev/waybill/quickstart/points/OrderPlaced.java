package dev.waybill.quickstart.points;

/** What this service needs to know of an order; members it does not name are passed over. */
record OrderPlaced(String customer, long totalCents) {

  /** One for each whole euro. */
  long points() {
    return totalCents / 100;
  }
}
