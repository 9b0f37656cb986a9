package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class WithoutSummariesTest {

  /** Debezium's bean is there and has been told of no event, while events flow. */
  @Test
  void no_summary_of_an_event_is_written() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a", "b");
      assertThat(reading.awaitEventIds(2)).containsExactly("a", "b");
      MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
      Set<ObjectName> streaming =
          beans.queryNames(
              new ObjectName(
                  "debezium.postgres:type=connector-metrics,context=streaming,server="
                      + outbox.slot()
                      + "-*"),
              null);
      assertThat(streaming).hasSize(1);
      ObjectName bean = streaming.iterator().next();
      assertThat(beans.getAttribute(bean, "Connected")).isEqualTo(true);
      assertThat(beans.getAttribute(bean, "LastEvent")).isNull();
      assertThat(beans.getAttribute(bean, "TotalNumberOfEventsSeen")).isEqualTo(0L);
    }
  }
}
