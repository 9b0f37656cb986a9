package dev.waybill.consumer;

import dev.waybill.consumer.ConsumerConfig.Failing;
import dev.waybill.consumer.Outages.Need;
import dev.waybill.consumer.guard.CommittedTransactionException;
import dev.waybill.consumer.guard.GapPolicy;
import dev.waybill.consumer.guard.GroupGuard;
import dev.waybill.consumer.guard.OneTransaction;
import dev.waybill.consumer.guard.OneTransaction.TransactionWork;
import dev.waybill.consumer.guard.Passage;
import dev.waybill.consumer.guard.SqlFailure;
import dev.waybill.consumer.guard.TransactionUnavailableException;
import dev.waybill.consumer.guard.Verdict;
import dev.waybill.consumer.handle.DecoderUnavailableException;
import dev.waybill.consumer.handle.Handlers;
import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.handle.Outcome.Cost;
import dev.waybill.consumer.handle.ParkReason;
import dev.waybill.consumer.handle.UndecodablePayloadException;
import dev.waybill.consumer.park.ParkFailedException;
import dev.waybill.consumer.park.ParkedEvent;
import dev.waybill.consumer.park.Parker;
import dev.waybill.consumer.poll.PolledRecord;
import dev.waybill.event.Event;
import dev.waybill.wire.EventDecoder;
import dev.waybill.wire.UndecodableRecordException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does with one event: guard, handle, and decide what a failure means. Safe for many
 * threads.
 */
final class EventProcessor {

  /** Transactions that lost against each other should not meet again. */
  private static final long CONFLICT_SPREAD_NANOS = 5_000_000;

  private final Handlers handlers;
  private final GroupGuard guard;
  private final GroupGuard versions;
  private final OneTransaction transaction;
  private final Parker parker;
  private final Outages outages;
  private final Failing failing;
  private final Clock clock;
  private final RandomGenerator random;

  EventProcessor(
      ConsumerConfig config, Parker parker, Outages outages, Clock clock, RandomGenerator random) {
    this.handlers = config.handlers();
    this.guard = config.guard().forGroup(config.group());
    this.versions = guard.onlyVersions();
    this.transaction = new OneTransaction(config.dataSource());
    this.parker = parker;
    this.outages = outages;
    this.failing = config.failing();
    this.clock = clock;
    this.random = random;
  }

  /**
   * Tries once to let the event take effect.
   *
   * @param ended whether the partition is not ours any more; a failure is then the next owner's to
   *     judge
   */
  Processed process(PolledRecord polled, Attempts attempts, BooleanSupplier ended)
      throws InterruptedException {
    Attempt attempt = new Attempt(polled, attempts, ended);
    Optional<Outcome> outcome = attempt.run();
    return new Processed(attempt.event, outcome);
  }

  /**
   * How it went.
   *
   * @param event null if the record is none
   * @param outcome empty if the attempt failed when the partition was not ours any more
   */
  record Processed(@Nullable Event event, Optional<Outcome> outcome) {}

  /** What follows from a verdict; parking may be interrupted. */
  private interface Conclusion {

    Optional<Outcome> reach() throws InterruptedException;
  }

  /** One attempt at one event. Confined to the worker. */
  private final class Attempt {

    private final PolledRecord polled;
    private final Attempts attempts;
    private final BooleanSupplier ended;
    private @Nullable Event event;

    Attempt(PolledRecord polled, Attempts attempts, BooleanSupplier ended) {
      this.polled = polled;
      this.attempts = attempts;
      this.ended = ended;
    }

    Optional<Outcome> run() throws InterruptedException {
      ParkedEvent toPark = attempts.toPark();
      if (toPark != null) {
        event = toPark.event();
        return park(toPark);
      }
      try {
        Event decoded = EventDecoder.decode(polled.record());
        event = decoded;
        Optional<TransactionWork> work = handlers.prepare(decoded);
        if (attempts.wasAway()) {
          outages.ended(Need.DECODER);
        }
        return work.isPresent() ? handle(decoded, work.get()) : ignore(decoded);
      } catch (UndecodableRecordException | UndecodablePayloadException e) {
        return park(ParkReason.UNDECODABLE, String.valueOf(e.getMessage()), e);
      } catch (DecoderUnavailableException e) {
        return waitFor(Need.DECODER, e);
      }
    }

    private Optional<Outcome> handle(Event event, TransactionWork work)
        throws InterruptedException {
      return inOneTransaction(guard, event, work, this::handled);
    }

    private Optional<Outcome> ignore(Event event) throws InterruptedException {
      return versions.isOpen()
          ? Optional.of(new Outcome.Ignored())
          : inOneTransaction(versions, event, tx -> {}, passage -> new Outcome.Ignored());
    }

    private Outcome handled(Passage passage) {
      return switch (passage) {
        case IN_ORDER -> new Outcome.Handled(false);
        case UNVERSIONED -> new Outcome.Handled(true);
        case ACROSS_GAP -> new Outcome.Gap();
      };
    }

    /** A transaction that lost against another one is repeated at once, as a whole. */
    private Optional<Outcome> inOneTransaction(
        GroupGuard guard, Event event, TransactionWork work, Function<Passage, Outcome> admitted)
        throws InterruptedException {
      for (int conflicts = 0; ; conflicts++) {
        Verdict verdict;
        try {
          verdict = transaction.run(guard, event, work);
        } catch (Throwable failure) {
          if (conflicts < failing.conflicts() && SqlFailure.of(failure) == SqlFailure.CONFLICT) {
            LockSupport.parkNanos(random.nextLong(CONFLICT_SPREAD_NANOS));
            continue;
          }
          return failed(failure);
        }
        outages.ended(Need.DATABASE);
        return conclude(event, verdict, admitted);
      }
    }

    private Optional<Outcome> conclude(
        Event event, Verdict verdict, Function<Passage, Outcome> admitted)
        throws InterruptedException {
      return verdict
          .<Conclusion>match(
              yes -> () -> Optional.of(admitted.apply(yes.passage())),
              duplicate -> () -> Optional.of(new Outcome.Duplicate()),
              stale -> () -> Optional.of(new Outcome.Stale(stale.last())),
              gap -> () -> gap(event, gap),
              refused -> () -> park(ParkReason.REFUSED, refused.reason(), null))
          .reach();
    }

    private Optional<Outcome> gap(Event event, Verdict.Gap gap) throws InterruptedException {
      String sentence =
          "Event %s is version %d of %s %s, but the last one was %d"
              .formatted(
                  event.id(),
                  event.aggregateVersion(),
                  event.aggregateType(),
                  event.aggregateId(),
                  gap.last());
      return gap.policy() == GapPolicy.FAIL
          ? failed(new VersionGapException(sentence))
          : park(ParkReason.GAP, sentence, null);
    }

    private Optional<Outcome> failed(Throwable failure) throws InterruptedException {
      if (ended.getAsBoolean()) {
        return Optional.empty();
      }
      if (failure instanceof TransactionUnavailableException) {
        return waitFor(Need.DATABASE, failure);
      }
      attempts.failed(clock.instant());
      if (failure instanceof CommittedTransactionException) {
        return park(ParkReason.FAILED, String.valueOf(failure.getMessage()), failure);
      }
      Optional<Duration> delay =
          failing.retry().delayAfter(attempts.failures(), random.nextDouble());
      return delay.isPresent()
          ? Optional.of(new Outcome.RetryLater(Cost.AN_ATTEMPT, delay.get(), failure))
          : park(ParkReason.FAILED, failedForGood(failure), failure);
    }

    private String failedForGood(Throwable failure) {
      return "The handler failed %d times, the last time with %s"
          .formatted(attempts.failures(), failure);
    }

    private Optional<Outcome> waitFor(Need need, Throwable cause) {
      outages.began(need, cause);
      Duration delay = failing.outage().delayAfter(attempts.away(), random.nextDouble());
      return Optional.of(new Outcome.RetryLater(Cost.NOTHING, delay, cause));
    }

    private Optional<Outcome> park(ParkReason reason, String sentence, @Nullable Throwable failure)
        throws InterruptedException {
      Instant now = clock.instant();
      return park(
          new ParkedEvent(
              polled,
              event,
              reason,
              sentence,
              failure,
              attempts.failures(),
              attempts.firstFailedAt(now),
              now));
    }

    /** From now on parking is all that is tried. The offset moves only once the broker has it. */
    private Optional<Outcome> park(ParkedEvent parked) throws InterruptedException {
      attempts.park(parked);
      if (ended.getAsBoolean()) {
        return Optional.empty();
      }
      try {
        keepPlace(parked.event());
        parker.park(parked);
      } catch (TransactionUnavailableException e) {
        return waitFor(Need.DATABASE, e);
      } catch (ParkFailedException e) {
        return waitFor(Need.PARK_TOPIC, e);
      }
      outages.ended(Need.PARK_TOPIC);
      return Optional.of(new Outcome.Parked(parked.reason(), parked.sentence(), parked.failure()));
    }

    /** So that a parked event is not late when it is offered again. */
    private void keepPlace(@Nullable Event event) {
      if (event != null && !versions.isOpen()) {
        transaction.keepPlace(versions, event);
        outages.ended(Need.DATABASE);
      }
    }
  }
}
