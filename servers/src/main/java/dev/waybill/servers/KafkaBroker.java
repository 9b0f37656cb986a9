package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka 4.3 broker: one KRaft node, broker and controller, in a JVM of its own with a small heap.
 * Its own topics have one replica and few partitions. Data survives the death of the process.
 */
public final class KafkaBroker implements BrokerServer {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path folder = Folders.temporary("waybill-kafka-");
  private final Path data = folder.resolve("data");
  private final Path configuration = folder.resolve("server.properties");
  private final String bootstrapServers;
  private final String heap;
  private final Runnable closer = this::close;
  private @Nullable ChildJvm process;

  private KafkaBroker(Builder builder) {
    int port = builder.port == 0 ? FreePort.next() : builder.port;
    this.bootstrapServers = "127.0.0.1:" + port;
    this.heap = builder.heap;
    OpenServers.add(closer);
    write(withAddresses(builder.settings));
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public void start() {
    if (isRunning()) {
      return;
    }
    process =
        ChildJvm.builder(KafkaNode.class)
            .classPath(KafkaLibraries.classPath())
            .jvmOptions(
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.showDateTime=true")
            .arguments(configuration.toString(), data.toString())
            .output(log())
            .start();
    process.awaitLine(KafkaNode.READY::equals, PATIENCE);
  }

  @Override
  public void stop() {
    if (process != null) {
      process.terminate();
      process.awaitExit(PATIENCE);
      process.close();
      process = null;
    }
  }

  @Override
  public void kill() {
    if (process != null) {
      process.close();
      process = null;
    }
  }

  /** SIGSTOP: connections stay open, nothing is answered. */
  public void suspend() {
    if (process != null) {
      process.suspend();
    }
  }

  /** SIGCONT after {@link #suspend()}. */
  public void resume() {
    if (process != null) {
      process.resume();
    }
  }

  @Override
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  @Override
  public void close() {
    kill();
    Folders.delete(folder);
    OpenServers.remove(closer);
  }

  @Override
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** The broker's process id. */
  public long pid() {
    if (process == null) {
      throw new IllegalStateException("the broker does not run");
    }
    return process.pid();
  }

  /** The broker's own log: warnings and errors. */
  public Path log() {
    return folder.resolve("server.log");
  }

  private Properties withAddresses(Properties settings) {
    int controller = FreePort.next();
    Properties all = new Properties();
    all.putAll(settings);
    all.setProperty("log.dirs", data.toString());
    all.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controller);
    all.setProperty(
        "listeners", "PLAINTEXT://" + bootstrapServers + ",CONTROLLER://127.0.0.1:" + controller);
    all.setProperty("advertised.listeners", "PLAINTEXT://" + bootstrapServers);
    return all;
  }

  private void write(Properties properties) {
    try (Writer writer = Files.newBufferedWriter(configuration)) {
      properties.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How the broker is set up. */
  public static final class Builder {

    private final Properties settings = new Properties();
    private String heap = "256m";
    private int port;

    private Builder() {
      setting("process.roles", "broker,controller");
      setting("node.id", "1");
      setting("controller.listener.names", "CONTROLLER");
      setting("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
      setting("offsets.topic.replication.factor", "1");
      setting("offsets.topic.num.partitions", "4");
      setting("transaction.state.log.replication.factor", "1");
      setting("transaction.state.log.min.isr", "1");
      setting("transaction.state.log.num.partitions", "4");
      setting("share.coordinator.state.topic.replication.factor", "1");
      setting("share.coordinator.state.topic.min.isr", "1");
      setting("group.initial.rebalance.delay.ms", "0");
      setting("log.cleaner.dedupe.buffer.size", "16777216");
    }

    /** A line of server.properties, in place of the default of the broker or of this module. */
    public Builder setting(String name, String value) {
      settings.setProperty(name, value);
      return this;
    }

    /** The most that the heap may grow to, such as {@code 512m}; 256m if not given. */
    public Builder heap(String heap) {
      this.heap = heap;
      return this;
    }

    /** This port instead of any free one. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** Starts the broker; returns once clients are served. */
    public KafkaBroker start() {
      KafkaBroker broker = new KafkaBroker(this);
      try {
        broker.start();
        return broker;
      } catch (RuntimeException e) {
        broker.close();
        throw e;
      }
    }
  }
}
