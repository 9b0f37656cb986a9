package dev.waybill.it.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Database;
import java.time.Duration;
import java.util.List;

/** A service downstream in a JVM of its own, to be killed. */
public final class ServiceProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Where a service may halt. */
  public enum Point {
    /** In the handler, which has written its effect; nothing is committed. */
    WRITTEN,
    /** The database has committed effect and guard; the offset is not committed. */
    COMMITTED
  }

  private final ChildJvm jvm;

  private ServiceProcess(ChildJvm jvm) {
    this.jvm = jvm;
    jvm.awaitLine(ServiceMain.STARTED::equals, PATIENCE);
  }

  /** Starts a member of a group. */
  public static ServiceProcess start(
      BrokerServer broker, Effects effects, String group, String topic) {
    return new ServiceProcess(builder(broker, effects, group, topic).start());
  }

  /** A member that halts its JVM when it reaches {@code point} for the nth time. */
  public static ServiceProcess haltingAt(
      Point point, int times, BrokerServer broker, Effects effects, String group, String topic) {
    return new ServiceProcess(
        builder(broker, effects, group, topic)
            .arguments(point.name(), Integer.toString(times))
            .start());
  }

  private static ChildJvm.Builder builder(
      BrokerServer broker, Effects effects, String group, String topic) {
    Database database = effects.database();
    return ChildJvm.builder(ServiceMain.class)
        .jvmOptions("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .arguments(
            broker.bootstrapServers(),
            database.jdbcUrl(),
            database.user(),
            database.password(),
            group,
            topic);
  }

  /** Waits until it has halted at its point. */
  public void awaitHalt() {
    assertThat(jvm.awaitExit(PATIENCE)).as(jvm.tail()).isEqualTo(ServiceMain.HALTED);
  }

  /** SIGKILL. */
  public void kill() {
    jvm.kill();
  }

  /** The events that it left out because they had taken effect. */
  public List<String> duplicates() {
    return jvm.lines().stream().filter(line -> line.startsWith(ServiceMain.DUPLICATE)).toList();
  }

  public String tail() {
    return jvm.tail();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
