package dev.waybill.consumer;

import dev.waybill.consumer.handle.Outcome;
import dev.waybill.servers.Database;
import java.time.Duration;
import java.util.Map;

/**
 * A downstream service, to be killed: writes a row per event and prints a line per outcome.
 *
 * <p>Arguments: bootstrap servers, topic, group, database, its URL, user, password, milliseconds
 * between commits of offsets.
 */
public final class ConsumerProcess {

  private ConsumerProcess() {}

  public static void main(String[] args) {
    Database database = new Database(args[3], args[4], args[5], args[6]);
    EventConsumer.builder(args[2])
        .topics(args[1])
        // A static member that comes back takes its partitions at once, whereas the broker notices
        // only after session.timeout.ms that another one was killed.
        .kafka(Map.of("bootstrap.servers", args[0], "group.instance.id", "only"))
        .dataSource(TestBed.pool(database))
        .commitInterval(Duration.ofMillis(Long.parseLong(args[7])))
        .listener(new Printing())
        .onAny((event, tx) -> TestBed.write("billing", event, tx))
        .build()
        .start();
  }

  private static final class Printing implements ConsumerListener {

    @Override
    public void handled(Delivery delivery, Outcome.Handled outcome) {
      print("handled", delivery);
    }

    @Override
    public void duplicate(Delivery delivery, Outcome.Duplicate outcome) {
      print("duplicate", delivery);
    }

    private static void print(String outcome, Delivery delivery) {
      System.out.println(outcome + " " + (delivery.event() == null ? "?" : delivery.event().id()));
    }
  }
}
