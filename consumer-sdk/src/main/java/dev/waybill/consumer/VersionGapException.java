package dev.waybill.consumer;

/** Versions of an aggregate are missing, and the policy is to count that as a failure. */
final class VersionGapException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  VersionGapException(String message) {
    super(message);
  }
}
