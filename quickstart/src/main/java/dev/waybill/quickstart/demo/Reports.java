package dev.waybill.quickstart.demo;

import dev.waybill.quickstart.service.Report;
import dev.waybill.servers.ChildJvm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a consuming service has reported, over all its lives.
 *
 * @param duplicates repeats that were let through no second time
 * @param parked events that were set aside
 * @param delay median from an order to its effect, in milliseconds; -1 if nothing happened lately
 */
record Reports(long duplicates, long parked, long delay) {

  static Reports of(ServicePart service) {
    long duplicates = 0;
    long parked = 0;
    long delay = -1;
    for (ChildJvm life : service.lives()) {
      Map<String, Long> last = last(life.lines());
      duplicates += last.getOrDefault("duplicates", 0L);
      parked += last.getOrDefault("parked", 0L);
      delay = last.getOrDefault("delay", -1L);
    }
    return new Reports(duplicates, parked, delay);
  }

  private static Map<String, Long> last(List<String> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).startsWith(Report.MARK)) {
        return parse(lines.get(i).substring(Report.MARK.length()));
      }
    }
    return Map.of();
  }

  private static Map<String, Long> parse(String line) {
    Map<String, Long> values = new HashMap<>();
    for (String entry : line.split(" ", -1)) {
      int equals = entry.indexOf('=');
      values.put(entry.substring(0, equals), Long.valueOf(entry.substring(equals + 1)));
    }
    return values;
  }
}
