package dev.handoff.chaos;

import dev.handoff.Backoff;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/// Jobs of a chaos run whose handlers stress the engine. The token determines a job's kind; the
/// token is its payload, and also its key if it begins with `k`. [RoughBench] implements the
/// handlers.
enum RoughWork {
  /// Returns at once.
  QUICK,
  /// Takes a while, and stops when cancelled.
  SLOW,
  /// Computes on a virtual thread.
  SPIN,
  /// Computes on a platform thread.
  CRUNCH,
  /// Throws one of several errors.
  BREAK,
  /// Recurses until the stack overflows.
  SINK,
  /// Waits for a child.
  PARENT,
  /// Ignores cancels and interrupts for a while.
  DEAF,
  /// Puts itself back twice.
  SNOOZE,
  /// Has one attempt, and sometimes fails.
  ONCE,
  /// Child job of a [#PARENT].
  CHILD,
  /// Fills the heap, and frees it again. The submitter decides how often.
  FILL,
  /// Fills the heap on a platform thread.
  FLOOD,
  /// Runs until released.
  HOLD;

  static final String OPEN = "open";
  static final String PAUSED = "paused";
  static final String NARROW = "narrow";
  static final String SINGLE = "single";

  /// Limits of the queues that are limited during the whole run.
  static final Map<String, Integer> LIMITS = Map.of(NARROW, 4, SINGLE, 1);

  private static final List<String> QUEUES =
      List.of(OPEN, OPEN, OPEN, "other", PAUSED, NARROW, NARROW, SINGLE);

  private static final RoughWork[] MIX = {
    QUICK, SLOW, SPIN, CRUNCH, BREAK, QUICK, SINK, PARENT, QUICK, DEAF, SNOOZE, ONCE, BREAK, SLOW,
    QUICK, PARENT
  };

  /// Kind of a token: random, or the kind that the token begins with, such as `fill-17`.
  static RoughWork of(String token) {
    var parts = token.split("-");
    return parts[0].length() == 1
        ? MIX[chance(token).nextInt(MIX.length)]
        : valueOf(parts[0].toUpperCase(Locale.ROOT));
  }

  /// Source of randomness that depends on the token only, equal in all processes.
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

  /// Occupies a slot of a queue until released.
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
