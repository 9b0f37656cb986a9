package dev.waybill.consumer.poll;

import java.util.Set;

/**
 * Learns which partitions are ours. Called inside {@link Poller#poll} and {@link Poller#close}, on
 * the thread that polls; must not throw. Which partitions come and go together is the assignor's
 * choice: the eager ones take all away first.
 */
public interface Assignments {

  /** They are ours from now on, and read from their committed offsets. */
  void assigned(Set<Partition> partitions);

  /**
   * They are ours until this returns: the last moment for {@link Poller#commitNow}. The group waits
   * meanwhile.
   *
   * @param poller the membership they are taken from
   */
  void revoked(Poller poller, Set<Partition> partitions);

  /** They are somebody else's already. Nothing may be committed for them. */
  void lost(Set<Partition> partitions);
}
