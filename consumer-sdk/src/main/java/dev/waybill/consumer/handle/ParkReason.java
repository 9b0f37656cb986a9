package dev.waybill.consumer.handle;

/** Why an event was parked. */
public enum ParkReason {
  /** The handler failed as often as the retry policy allows. */
  FAILED,
  /** The record is no event, or its payload not what the handler wants. */
  UNDECODABLE,
  /** The event's id, or its aggregate's, does not fit into the guard's columns. */
  REFUSED,
  /** Versions of its aggregate are missing and the policy is to park. */
  GAP
}
