package dev.waybill.consumer.poll;

import java.util.Objects;

/** A partition of a topic. */
public record Partition(String topic, int number) {

  public Partition {
    Objects.requireNonNull(topic, "topic");
  }

  @Override
  public String toString() {
    return topic + "-" + number;
  }
}
