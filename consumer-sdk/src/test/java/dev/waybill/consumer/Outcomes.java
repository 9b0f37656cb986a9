package dev.waybill.consumer;

import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.poll.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Remembers what a consumer told, as {@code outcome id}. Safe for many threads. */
final class Outcomes implements ConsumerListener {

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<Outcome.RetryLater> retries = new CopyOnWriteArrayList<>();
  private final CountDownLatch givenUp = new CountDownLatch(1);
  private final List<ConsumerState> states = new CopyOnWriteArrayList<>();

  void awaitGivenUp() throws InterruptedException {
    givenUp.await();
  }

  List<String> told() {
    return told;
  }

  List<Outcome.RetryLater> retries() {
    return retries;
  }

  List<ConsumerState> states() {
    return states;
  }

  long count(String outcome) {
    return told.stream().filter(line -> line.startsWith(outcome)).count();
  }

  @Override
  public void handled(Delivery delivery, Outcome.Handled outcome) {
    add(outcome.unversioned() ? "unversioned" : "handled", delivery);
  }

  @Override
  public void gap(Delivery delivery, Outcome.Gap outcome) {
    add("gap", delivery);
  }

  @Override
  public void duplicate(Delivery delivery, Outcome.Duplicate outcome) {
    add("duplicate", delivery);
  }

  @Override
  public void stale(Delivery delivery, Outcome.Stale outcome) {
    add("stale", delivery);
  }

  @Override
  public void ignored(Delivery delivery, Outcome.Ignored outcome) {
    add("ignored", delivery);
  }

  @Override
  public void retryLater(Delivery delivery, Outcome.RetryLater outcome) {
    retries.add(outcome);
    add("retry", delivery);
  }

  @Override
  public void parked(Delivery delivery, Outcome.Parked outcome) {
    add("parked " + outcome.reason(), delivery);
  }

  @Override
  public void stuck(Delivery delivery, Duration running) {
    told.add("stuck " + delivery.partition().number() + "@" + delivery.offset());
  }

  @Override
  public void givenUp(Set<Partition> partitions) {
    givenUp.countDown();
  }

  @Override
  public void stateChanged(ConsumerState from, ConsumerState to) {
    states.add(to);
  }

  private void add(String outcome, Delivery delivery) {
    told.add(outcome + " " + (delivery.event() == null ? "?" : delivery.event().id()));
  }
}
