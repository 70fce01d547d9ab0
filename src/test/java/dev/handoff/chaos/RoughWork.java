package dev.handoff.chaos;

import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.job.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/// The jobs of a run whose handlers are hard on the engine: what each is follows from its token,
/// which is its payload, and its key if it begins with `k`. What they do is told by [RoughBench].
enum RoughWork {
  /// Returns at once.
  QUICK,
  /// Takes a while, and stops when it is asked to.
  SLOW,
  /// Computes, on a virtual thread.
  SPIN,
  /// Computes, on a platform thread.
  CRUNCH,
  /// Throws an `Error` of one kind or another.
  BREAK,
  /// Calls itself until there is no stack left.
  SINK,
  /// Waits for a child.
  PARENT,
  /// Hears neither a cancel nor an interrupt for a while.
  DEAF,
  /// Puts itself back, twice.
  SNOOZE,
  /// May be started once only, and fails now and then.
  ONCE,
  /// What a parent waits for.
  CHILD,
  /// Fills the heap, and lets go of it. How often that is to happen is decided by whoever submits.
  FILL,
  /// The same, on a platform thread.
  FLOOD,
  /// Runs until it is released.
  HOLD;

  static final String OPEN = "open";
  static final String PAUSED = "paused";
  static final String NARROW = "narrow";
  static final String SINGLE = "single";

  /// The queues that have a limit at all times, and what it never exceeds.
  static final Map<String, Integer> LIMITS = Map.of(NARROW, 4, SINGLE, 1);

  private static final List<String> QUEUES =
      List.of(OPEN, OPEN, OPEN, "other", PAUSED, NARROW, NARROW, SINGLE);

  private static final RoughWork[] MIX = {
    QUICK, SLOW, SPIN, CRUNCH, BREAK, QUICK, SINK, PARENT, QUICK, DEAF, SNOOZE, ONCE, BREAK, SLOW,
    QUICK, PARENT
  };

  /// A job that is what chance makes of its token, or of the kind that this begins with: `fill-17`.
  static RoughWork of(String token) {
    var parts = token.split("-");
    return parts[0].length() == 1
        ? MIX[chance(token).nextInt(MIX.length)]
        : valueOf(parts[0].toUpperCase(Locale.ROOT));
  }

  /// The same for every process that meets the token.
  static Random chance(String token) {
    return new Random(token.hashCode() * 0x9E3779B97F4A7C15L);
  }

  static JobRequest request(String token) {
    var work = of(token);
    var random = chance(token);
    var request =
        JobRequest.of(work.type(), token)
            .maxAttempts(work == ONCE || work.isFilling() ? 1 : 4)
            .backoff(Backoff.fixed(Duration.ofMillis(20)))
            .priority(random.nextInt(3))
            .queue(work.isFilling() ? OPEN : QUEUES.get(random.nextInt(QUEUES.size())));
    if (token.startsWith("k-")) {
      request = request.key(token);
    }
    return work == DEAF || work == SPIN && random.nextBoolean()
        ? request.timeout(Duration.ofMillis(60))
        : request;
  }

  /// Has its place in a queue until it is released.
  static JobRequest hold(String token, String queue) {
    return JobRequest.of(HOLD.type(), token).queue(queue).priority(9);
  }

  static JobRequest child(JobContext parent) {
    return JobRequest.of(CHILD.type(), "c-" + parent.id())
        .queue(chance(parent.id().value()).nextBoolean() ? SINGLE : OPEN);
  }

  private boolean isFilling() {
    return this == FILL || this == FLOOD;
  }

  boolean isBlocking() {
    return this == CRUNCH || this == FLOOD;
  }

  String type() {
    return name().toLowerCase(Locale.ROOT);
  }
}
