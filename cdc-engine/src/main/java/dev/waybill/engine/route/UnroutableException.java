package dev.waybill.engine.route;

/** Why a row cannot be published, on its way to {@link Route.Park}. */
final class UnroutableException extends Exception {

  private static final long serialVersionUID = 1L;

  UnroutableException(String reason) {
    super(reason, null, false, false);
  }

  /** The reason; unlike {@link #getMessage()} never null. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
