package dev.waybill.consumer;

import dev.waybill.consumer.ConsumerConfig.Pace;
import dev.waybill.consumer.Outages.Need;
import dev.waybill.consumer.commit.OffsetLedger;
import dev.waybill.consumer.poll.Assignments;
import dev.waybill.consumer.poll.Partition;
import dev.waybill.consumer.poll.PollFailedException;
import dev.waybill.consumer.poll.Poller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Poll, guard, handle, commit. This thread polls, hands partitions to the workers, who guard and
 * handle, and commits the offsets of what is done. It never waits for a handler, but when a
 * partition is taken away.
 */
final class ConsumerLoop implements Assignments {

  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  private static final Duration LONGEST_POLL = Duration.ofMillis(100);

  /** A partition that was held is wanted back soon. */
  private static final Duration POLL_WHILE_HELD = Duration.ofMillis(20);

  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(5);

  private final ConsumerConfig config;
  private final Pace pace;
  private final Workers workers;
  private final Outages outages;
  private final Listeners listeners;
  private final StuckWatch stuckWatch;
  private final RandomGenerator random;
  private final Lanes lanes;
  private final OffsetLedger ledger = new OffsetLedger();
  private long nextCommit;

  /** Memberships in a row that came to nothing. */
  private int failures;

  ConsumerLoop(
      ConsumerConfig config,
      Workers workers,
      Outages outages,
      Listeners listeners,
      RandomGenerator random) {
    this.config = config;
    this.pace = config.pace();
    this.workers = workers;
    this.outages = outages;
    this.listeners = listeners;
    this.stuckWatch = new StuckWatch(config.group(), pace.stuckAfter(), listeners);
    this.random = random;
    this.lanes = new Lanes(pace);
  }

  /** Runs until told to stop, with a new membership after each that failed. */
  void run(StopSignal stop) throws InterruptedException {
    while (!stop.isGiven()) {
      try {
        beMember(stop);
      } catch (PollFailedException e) {
        failures++;
        if (!stop.isGiven()) {
          sayWhatIsWrong(e);
          stop.await(config.failing().outage().delayAfter(failures, random.nextDouble()));
        }
      }
    }
  }

  private void sayWhatIsWrong(PollFailedException e) {
    if (e.isRefusal()) {
      outages.began(Need.MEMBERSHIP, e);
      outages.ended(Need.BROKER);
    } else {
      outages.began(Need.BROKER, e);
    }
  }

  private void beMember(StopSignal stop) throws InterruptedException {
    try (Poller poller = new Poller(config.subscription(), this, COMMIT_TIMEOUT)) {
      try {
        while (!stop.isGiven()) {
          runOnce(poller);
        }
      } finally {
        giveUp(poller, lanes.partitions(), pace.closeTimeout());
      }
    }
  }

  private void runOnce(Poller poller) throws InterruptedException {
    setBack(lanes.add(poller.poll(untilSomethingIsDue())));
    lanes.start(System.nanoTime()).forEach(workers::run);
    poller.hold(lanes.held(), lanes.partitions());
    commitWhatIsDone(poller);
    stuckWatch.look(lanes.all(), System.nanoTime());
  }

  private void setBack(Set<Partition> partitions) {
    if (!partitions.isEmpty()) {
      LOG.warn(
          "The log of {} was set back; group {} goes on from there, and the guard knows what it did",
          partitions,
          config.group());
      forget(partitions);
    }
  }

  private void commitWhatIsDone(Poller poller) {
    long now = System.nanoTime();
    if (nextCommit - now > 0) {
      return;
    }
    nextCommit = now + pace.commitInterval().toNanos();
    Map<Partition, Long> due = ledger.due(Lanes.committable(lanes.all()));
    if (!due.isEmpty()) {
      poller.commitLater(due, failure -> sendAgain(due, failure));
    }
  }

  private void sendAgain(Map<Partition, Long> offsets, Throwable failure) {
    LOG.debug("Offsets {} were not committed, and are sent again", offsets, failure);
    ledger.forget(offsets.keySet());
  }

  private Duration untilSomethingIsDue() {
    Duration wait = lanes.isHolding() ? POLL_WHILE_HELD : LONGEST_POLL;
    long now = System.nanoTime();
    long nanos = wait.toNanos();
    for (Lane lane : lanes.all()) {
      Long dueAt = lane.dueAt();
      if (dueAt != null) {
        nanos = Math.min(nanos, Math.max(0, dueAt - now));
      }
    }
    return Duration.ofNanos(nanos);
  }

  @Override
  public void assigned(Set<Partition> partitions) {
    LOG.info("Group {} got {}", config.group(), partitions);
    outages.ended(Need.BROKER);
    outages.ended(Need.MEMBERSHIP);
    failures = 0;
    lanes.open(partitions);
    listeners.assigned(partitions);
  }

  @Override
  public void revoked(Poller poller, Set<Partition> partitions) {
    LOG.info("Group {} gives up {}", config.group(), partitions);
    giveUp(poller, partitions, pace.revokeTimeout());
  }

  @Override
  public void lost(Set<Partition> partitions) {
    LOG.warn(
        "Group {} has lost {}; what runs may end, and the guard knows whether it did",
        config.group(),
        partitions);
    listeners.givenUp(partitions);
    lanes.end(partitions);
    forget(partitions);
  }

  /** Waits for what runs and commits what is done, for the last time. */
  private void giveUp(Poller poller, Set<Partition> partitions, Duration timeout) {
    List<Lane> ended = lanes.end(partitions);
    if (!ended.isEmpty()) {
      listeners.givenUp(partitions);
      awaitStopped(ended, timeout);
      commitNow(poller, ledger.due(Lanes.committable(ended)));
      forget(partitions);
    }
  }

  /** Whoever waited in these partitions has gone. */
  private void forget(Set<Partition> partitions) {
    ledger.forget(partitions);
    outages.workersLeft();
  }

  private static void commitNow(Poller poller, Map<Partition, Long> due) {
    if (due.isEmpty()) {
      return;
    }
    try {
      poller.commitNow(due, COMMIT_TIMEOUT);
    } catch (PollFailedException e) {
      LOG.info("{}; these events come again, and the guard knows them", e.getMessage());
    }
  }

  private void awaitStopped(List<Lane> ended, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      for (Lane lane : ended) {
        if (!lane.awaitStopped(deadline)) {
          LOG.warn(
              "The handler of {} in group {} still runs after {}; its offset is not committed",
              lane.partition(),
              config.group(),
              timeout);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
