package dev.handoff;

import dev.handoff.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// The parts of a list of requests, in its order. A part has one share for each partition: jobs
/// without a key are dealt in a row to one partition after the other, a job with a key goes to the
/// partition of its key. Requests are read when their part is made, and not before.
final class ListParts {

  /// The most jobs of a share, and the most bytes of their payloads.
  private static final int MOST_JOBS = 1_000;

  private static final int MOST_BYTES = 512 * 1024;

  /// The most bytes of a part, over all partitions, and about how many a job takes besides its
  /// payload.
  private static final int MOST_TOGETHER = 16 * 1024 * 1024;

  private static final int OVERHEAD = 512;

  private final List<JobRequest> requests;
  private final int partitions;
  private final Submissions submissions;
  private final @Nullable Submission[] answers;
  private int place;

  /// A job that did not fit into the part before.
  private @Nullable JobSpec left;

  /// @param answers takes the answers to requests that break a rule
  ListParts(
      List<JobRequest> requests,
      int partitions,
      Submissions submissions,
      @Nullable Submission[] answers) {
    this.requests = requests;
    this.partitions = partitions;
    this.submissions = submissions;
    this.answers = answers;
  }

  /// Jobs that go to one partition, and their places in the list.
  record Share(int partition, List<JobSpec> specs, List<Integer> places) {

    private static Share empty(int partition) {
      return new Share(partition, new ArrayList<>(), new ArrayList<>());
    }

    Share where(IntPredicate isWanted) {
      var wanted = empty(partition);
      for (int i = 0; i < places.size(); i++) {
        if (isWanted.test(places.get(i))) {
          wanted.add(specs.get(i), places.get(i));
        }
      }
      return wanted;
    }

    private void add(JobSpec spec, int place) {
      specs.add(spec);
      places.add(place);
    }
  }

  /// The next part; empty at the end of the list.
  List<Share> next() {
    var part = new Part(Math.ceilDiv(requests.size() - place, partitions));
    while (place < requests.size()) {
      var spec = left == null ? read() : left;
      left = null;
      if (spec != null && !part.take(spec, place)) {
        left = spec;
        break;
      }
      place++;
    }
    return List.copyOf(part.shares.values());
  }

  /// Null if it breaks a rule, or the heap is full, which is no fault of the others.
  private @Nullable JobSpec read() {
    try {
      return switch (submissions.check(requests.get(place))) {
        case Submissions.Fit(var spec) -> spec;
        case Submissions.Misfit misfit -> answered(misfit.answer());
      };
    } catch (OutOfMemoryError full) {
      return answered(Submissions.NO_MEMORY);
    }
  }

  private @Nullable JobSpec answered(Submission answer) {
    answers[place] = answer;
    return null;
  }

  /// The part that is being made.
  private final class Part {

    private final Map<Integer, Share> shares = new TreeMap<>();
    private final int[] bytes = new int[partitions];
    private final int mostWithoutKey;
    private final int first = ThreadLocalRandom.current().nextInt(partitions);
    private int filled;
    private long together;

    Part(int mostWithoutKey) {
      this.mostWithoutKey = Math.min(MOST_JOBS, mostWithoutKey);
    }

    /// @return whether there was room
    boolean take(JobSpec spec, int place) {
      int size = spec.payload().size();
      if (!shares.isEmpty() && together + size + OVERHEAD > MOST_TOGETHER) {
        return false;
      }
      int partition = partitionFor(spec, size);
      if (partition < 0) {
        return false;
      }
      shares.computeIfAbsent(partition, Share::empty).add(spec, place);
      bytes[partition] += size;
      together += size + OVERHEAD;
      return true;
    }

    /// Negative if there is no room.
    private int partitionFor(JobSpec spec, int size) {
      var key = spec.uniqueKey();
      if (key != null) {
        int partition = JobRoute.partitionOf(key, partitions);
        return hasRoom(partition, size, MOST_JOBS) ? partition : -1;
      }
      while (filled < partitions) {
        int partition = (first + filled) % partitions;
        if (hasRoom(partition, size, mostWithoutKey)) {
          return partition;
        }
        filled++;
      }
      return -1;
    }

    private boolean hasRoom(int partition, int size, int most) {
      var share = shares.get(partition);
      return share == null || share.specs().size() < most && bytes[partition] + size <= MOST_BYTES;
    }
  }
}
