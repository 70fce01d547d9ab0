package dev.handoff.internal.facade;

import dev.handoff.JobId;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.text.Ulid;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;

/// Route of a single new job, chosen on the caller's thread: its partition and its id. Equal keys
/// lead to the same partition; a job without a key goes to a random one. Ids of one route rise
/// strictly, across threads, within a millisecond, and when the clock is set back. Batches and
/// plans get their ids from the [dev.handoff.internal.engine.Gateway].
final class JobRoute {

  /// Bits of an id that number the ids of one millisecond; further ids use the next millisecond.
  private static final int SEQUENCE_BITS = 18;

  private static final long SEQUENCE = (1L << SEQUENCE_BITS) - 1;

  /// Random bits after the sequence number, so that two processes make different ids.
  private static final int RANDOM_BITS = 35 - SEQUENCE_BITS;

  private final List<ActorRef<Partition.Command>> partitions;
  private final InstantSource clock;

  /// Moment of the last id: milliseconds and sequence number.
  private final AtomicLong lastMoment = new AtomicLong();

  JobRoute(List<ActorRef<Partition.Command>> partitions, InstantSource clock) {
    this.partitions = List.copyOf(partitions);
    this.clock = clock;
  }

  record Target(ActorRef<Partition.Command> partition, JobId id) {}

  Target of(JobSpec spec) {
    var key = spec.uniqueKey();
    int partition =
        key == null
            ? ThreadLocalRandom.current().nextInt(partitions.size())
            : partitionOf(key, partitions.size());
    return new Target(partitions.get(partition), next(partition));
  }

  static int partitionOf(String key, int partitions) {
    return Math.floorMod(key.hashCode(), partitions);
  }

  private JobId next(int partition) {
    long now = clock.millis() << SEQUENCE_BITS;
    long moment = lastMoment.updateAndGet(before -> Math.max(before + 1, now));
    var random = ThreadLocalRandom.current();
    long order = (moment & SEQUENCE) << RANDOM_BITS | random.nextLong() & ((1L << RANDOM_BITS) - 1);
    return new JobId(Ulid.of(moment >>> SEQUENCE_BITS, order, random.nextLong(), partition));
  }
}
