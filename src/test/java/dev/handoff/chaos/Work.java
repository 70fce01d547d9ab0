package dev.handoff.chaos;

import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.JobRequest;
import dev.handoff.chaos.Journal.What;
import dev.handoff.job.Backoff;
import dev.handoff.job.Json;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// The jobs of a chaos run: what each is, by the number in its key, and what its handler does.
enum Work {
  /// Returns at once.
  QUICK,
  /// Fails once, with text that a database could choke on.
  FLAKY,
  /// May be started once only.
  ONCE,
  /// In a queue that runs two at a time.
  NARROW,
  /// Takes a while, and stops when it is asked to.
  SLOW,
  /// Is cancelled while it runs.
  DOOMED,
  /// Is cancelled by whoever has submitted it, at once.
  DROPPED,
  /// Runs longer than it may, deaf to everything, and returns late.
  LATE,
  /// Runs until it is asked to stop.
  LONG,
  /// Ends its process, each time.
  POISON;

  static final String NARROW_QUEUE = "narrow";
  static final int NARROW_LIMIT = 2;
  static final int POISON_EXIT_CODE = 87;

  private static final Work[] MIX = {
    QUICK, FLAKY, NARROW, SLOW, ONCE, QUICK, DOOMED, NARROW, QUICK, LATE, DROPPED, QUICK, FLAKY,
    QUICK, SLOW, ONCE
  };
  private static final Duration SLOWLY = Duration.ofMillis(25);
  private static final Duration DEAF = Duration.ofMillis(120);
  private static final Duration FOR_EVER = Duration.ofMinutes(10);

  /// Of a run, or the kind that is written before the number: `long-3`.
  static Work of(String key) {
    var parts = key.split("-");
    int number = Integer.parseInt(parts[1]);
    return parts[0].startsWith("run") ? MIX[number % MIX.length] : valueOf(parts[0].toUpperCase());
  }

  static JobRequest request(String key) {
    var work = of(key);
    var request =
        JobRequest.of(work.type(), key)
            .key(key)
            .maxAttempts(5)
            .backoff(Backoff.fixed(Duration.ofMillis(20)));
    return switch (work) {
      case ONCE -> request.maxAttempts(1);
      case POISON -> request.maxAttempts(2);
      case NARROW -> request.queue(NARROW_QUEUE);
      case LATE -> request.timeout(Duration.ofMillis(20));
      case QUICK, FLAKY, SLOW, DOOMED, DROPPED, LONG -> request;
    };
  }

  String type() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /// Gives a builder the handlers of all kinds.
  static HandoffBuilder handlers(
      HandoffBuilder builder, Journal journal, CompletableFuture<Handoff> handoff) {
    for (var work : values()) {
      JobHandler<Json> handler =
          (payload, job) -> {
            journal.say(What.BEGIN, job.id(), job.attempt(), job.queue());
            try {
              work.run(job, journal, handoff);
              return job.attempt();
            } finally {
              journal.say(What.END, job.id(), job.attempt());
            }
          };
      builder.handler(work.type(), Json.class, handler);
    }
    return builder;
  }

  private void run(JobContext job, Journal journal, CompletableFuture<Handoff> handoff)
      throws Exception {
    switch (this) {
      case QUICK, ONCE, DROPPED -> {}
      case FLAKY -> failAtFirst(job);
      case NARROW, SLOW -> waitForCancel(job, SLOWLY);
      case LONG -> waitForCancel(job, FOR_EVER);
      case DOOMED -> {
        handoff
            .join()
            .cancel(job.id(), "it is doomed")
            .ended()
            .thenAccept(report -> cancelled(report, journal));
        waitForCancel(job, FOR_EVER);
      }
      case LATE -> beDeafAtFirst(job);
      case POISON -> Runtime.getRuntime().halt(POISON_EXIT_CODE);
    }
  }

  /// Only a handler that has stopped can be relied on.
  static void cancelled(CancelReport report, Journal journal) {
    if (report instanceof CancelReport.Cancelled stopped) {
      journal.say(What.CANCELLED, stopped.job());
    }
  }

  private static void failAtFirst(JobContext job) {
    if (job.attempt() == 1) {
      throw new IllegalStateException("NUL \0 and half a pair \ud83d");
    }
  }

  private static void waitForCancel(JobContext job, Duration atMost) throws Exception {
    if (job.cancellation().await(atMost)) {
      job.cancellation().throwIfCancelled();
    }
  }

  private static void beDeafAtFirst(JobContext job) {
    long end = System.nanoTime() + (job.attempt() == 1 ? DEAF.toNanos() : 0);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
      Thread.interrupted();
    }
  }
}
