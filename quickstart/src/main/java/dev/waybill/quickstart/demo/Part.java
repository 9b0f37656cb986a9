package dev.waybill.quickstart.demo;

/** One process of the demo, used by one thread at a time. */
interface Part {

  /** As people call it, such as {@code points service}. */
  String name();

  /** Starts it, the first time or again; returns once it runs. */
  void start();

  boolean isRunning();

  /** Whether it has ended because its work is done. */
  boolean isDone();

  long pid();
}
