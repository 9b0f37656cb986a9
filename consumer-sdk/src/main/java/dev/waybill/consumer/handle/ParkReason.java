package dev.waybill.consumer.handle;

/** Why an event was parked. */
public enum ParkReason {
  /** The handler failed as often as the retry policy allows. */
  FAILED,
  /** The record is no event, or its payload not what the handler wants. */
  UNDECODABLE,
  /** The guard's columns cannot hold the event's id, or its aggregate's. */
  REFUSED,
  /** Versions of its aggregate are missing and the policy is to park. */
  GAP
}
