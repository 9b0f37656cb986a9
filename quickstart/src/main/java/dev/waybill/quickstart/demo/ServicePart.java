package dev.waybill.quickstart.demo;

import dev.waybill.servers.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A JVM of the engine or of a service. Safe for many threads. */
final class ServicePart implements Part {

  private static final Duration GONE = Duration.ofSeconds(10);

  private final String name;
  private final boolean endsByItself;
  private final Supplier<ChildJvm> starter;
  private final List<ChildJvm> lives = new ArrayList<>();

  /**
   * A part that has not been started.
   *
   * @param endsByItself whether an exit code of 0 means that its work is done
   */
  ServicePart(String name, boolean endsByItself, Supplier<ChildJvm> starter) {
    this.name = name;
    this.endsByItself = endsByItself;
    this.starter = starter;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() {
    ChildJvm started = starter.get();
    synchronized (lives) {
      lives.add(started);
    }
  }

  @Override
  public boolean isRunning() {
    return last().isAlive();
  }

  @Override
  public boolean isDone() {
    return endsByItself && !isRunning() && last().awaitExit(GONE) == 0;
  }

  @Override
  public long pid() {
    return last().pid();
  }

  void kill() {
    last().kill();
  }

  /** Each process that this part has been, the running one last. */
  List<ChildJvm> lives() {
    synchronized (lives) {
      return List.copyOf(lives);
    }
  }

  private ChildJvm last() {
    List<ChildJvm> all = lives();
    return all.get(all.size() - 1);
  }
}
