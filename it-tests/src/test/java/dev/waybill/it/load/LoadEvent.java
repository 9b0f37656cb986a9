package dev.waybill.it.load;

/**
 * An event as a writer means to insert it.
 *
 * @param version counts the aggregate's committed events, in the order of their commits
 */
public record LoadEvent(
    String id, String aggregateType, String aggregateId, long version, String payload) {

  public String aggregate() {
    return aggregateType + "/" + aggregateId;
  }
}
