package dev.handoff.internal.facade;

import dev.handoff.JobRequest;
import dev.handoff.Submission;
import dev.handoff.internal.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Splits a list of requests into parts, in list order. A part has one share per partition. Jobs
/// without a key fill one partition after the other; a job with a key goes to the partition of its
/// key. Each request is read only when its part is built.
final class ListParts {

  /// Limits of a share: number of jobs, and bytes of their payloads.
  private static final int MOST_JOBS = 1_000;

  private static final int MOST_BYTES = 512 * 1024;

  /// Limit of a part over all partitions, in bytes, and estimated size of a job without its
  /// payload.
  private static final int MOST_TOGETHER = 16 * 1024 * 1024;

  private static final int OVERHEAD = 512;

  private final List<JobRequest> requests;
  private final int partitions;
  private final JobSubmissions submissions;
  private final @Nullable Submission[] answers;
  private int place;

  /// First job that did not fit into the previous part.
  private @Nullable JobSpec left;

  /// @param answers receives the answers to invalid requests
  ListParts(
      List<JobRequest> requests,
      int partitions,
      JobSubmissions submissions,
      @Nullable Submission[] answers) {
    this.requests = requests;
    this.partitions = partitions;
    this.submissions = submissions;
    this.answers = answers;
  }

  /// Jobs for one partition, with their places in the list.
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

  /// Next part; empty at the end of the list.
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

  /// Specification of the next request. Null for an invalid request, or when the heap is full, so
  /// that the other requests continue.
  private @Nullable JobSpec read() {
    try {
      return switch (submissions.check(requests.get(place))) {
        case JobSubmissions.Fit(var spec) -> spec;
        case JobSubmissions.Misfit misfit -> answered(misfit.answer());
      };
    } catch (OutOfMemoryError full) {
      return answered(JobSubmissions.NO_MEMORY);
    }
  }

  private @Nullable JobSpec answered(Submission answer) {
    answers[place] = answer;
    return null;
  }

  /// Part under construction.
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

    /// @return whether the job fits into this part
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

    /// Partition with room for the job; negative if there is none.
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
