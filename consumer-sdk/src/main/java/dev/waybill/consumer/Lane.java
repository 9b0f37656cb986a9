package dev.waybill.consumer;

import dev.waybill.consumer.commit.CompletedPrefix;
import dev.waybill.consumer.poll.Partition;
import dev.waybill.consumer.poll.PolledRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A partition while it is ours: its queue, its place, and whether it runs. Events are taken one
 * after the other, in order. When the partition comes back to us later, it gets a new lane, so
 * nothing of an earlier time is left. Safe for the polling thread and one worker at a time.
 */
final class Lane {

  private final Partition partition;
  private final Deque<PolledRecord> queue = new ArrayDeque<>();
  private final CompletedPrefix prefix = new CompletedPrefix();
  private Attempts attempts = new Attempts();
  private long bytes;
  private boolean running;
  private boolean ended;
  private long dueAt;
  private @Nullable Watch watch;

  Lane(Partition partition, long now) {
    this.partition = partition;
    this.dueAt = now;
  }

  Partition partition() {
    return partition;
  }

  synchronized void add(List<PolledRecord> records) {
    for (PolledRecord record : records) {
      prefix.polled(record.offset());
      queue.add(record);
      bytes += record.bytes();
    }
  }

  /** Whether a record lies where this lane has been already. */
  synchronized boolean isPast(PolledRecord record) {
    return prefix.isPast(record.offset());
  }

  synchronized void reached(long position) {
    prefix.reached(position);
  }

  /**
   * Claims the lane for a worker.
   *
   * @param now by System.nanoTime
   */
  synchronized boolean tryStart(long now) {
    if (ended || running || queue.isEmpty() || dueAt - now > 0) {
      return false;
    }
    running = true;
    return true;
  }

  /** The next event; null if there is none, and the lane is then free for another worker. */
  synchronized @Nullable PolledRecord next(long now) {
    PolledRecord head = ended ? null : queue.peek();
    if (head == null) {
      stop();
    } else {
      watch = new Watch(head, attempts.current(), now);
    }
    return head;
  }

  /** The event is done with. */
  synchronized void completed(PolledRecord record) {
    prefix.completed(record.offset());
    attempts = new Attempts();
    rest();
    if (!ended) {
      queue.remove();
      bytes -= record.bytes();
    }
  }

  /** The event is to be tried again, and nothing of the partition before it. */
  synchronized void backOff(Duration delay, long now) {
    dueAt = now + delay.toNanos();
    stop();
  }

  /** Nothing more is started, and what is queued is forgotten. */
  synchronized void end() {
    ended = true;
    queue.clear();
    bytes = 0;
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /** Waits for the event at work. A worker that has not come to it yet will not begin. */
  synchronized boolean awaitStopped(long deadline) throws InterruptedException {
    for (long left = deadline - System.nanoTime(); watch != null && left > 0; ) {
      wait(Math.max(1, left / 1_000_000));
      left = deadline - System.nanoTime();
    }
    return watch == null;
  }

  /** Only for the worker that runs the lane. */
  synchronized Attempts attempts() {
    return attempts;
  }

  synchronized OptionalLong committable() {
    return prefix.next();
  }

  synchronized int queued() {
    return queue.size();
  }

  synchronized long bytes() {
    return bytes;
  }

  /** When the lane wants a worker again; null if it has one or nothing to do. */
  synchronized @Nullable Long dueAt() {
    return ended || running || queue.isEmpty() ? null : dueAt;
  }

  synchronized @Nullable Watch watch() {
    return watch;
  }

  private void stop() {
    running = false;
    rest();
  }

  private void rest() {
    watch = null;
    notifyAll();
  }

  /**
   * What runs since when.
   *
   * @param startedAt by System.nanoTime
   */
  record Watch(PolledRecord record, int attempt, long startedAt) {}
}
