package dev.waybill.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;

/**
 * The main class of the broker's JVM: formats the storage if it is new, starts, and says {@link
 * #READY} once clients are served. SIGTERM shuts it down in order.
 */
final class KafkaNode {

  static final String READY = "broker is ready";

  private static final String CLUSTER = "d2F5YmlsbHNlcnZlcnNzcw";

  private KafkaNode() {}

  /** Takes the properties file and the folder of the log. */
  public static void main(String[] arguments) throws IOException {
    String file = arguments[0];
    if (!Files.exists(Path.of(arguments[1], "meta.properties"))) {
      format(file);
    }
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(read(file), false), Time.SYSTEM);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
    server.startup();
    System.out.println(READY);
    server.awaitShutdown();
  }

  private static void format(String file) {
    String[] command = {"format", "--cluster-id", CLUSTER, "--config", file};
    if (StorageTool.execute(command, System.out) != 0) {
      throw new IllegalStateException("the broker's storage could not be formatted");
    }
  }

  private static Properties read(String file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      properties.load(in);
    }
    return properties;
  }
}
