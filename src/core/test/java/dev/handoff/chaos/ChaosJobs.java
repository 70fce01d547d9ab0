package dev.handoff.chaos;

import dev.handoff.Backoff;
import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// Jobs of a chaos run: the key determines the kind, and the kind the handler.
enum ChaosJobs {
  /// Returns at once.
  QUICK,
  /// Fails once, with text that a database could reject.
  FLAKY,
  /// Has one attempt.
  ONCE,
  /// Is in a queue with a limit of two.
  NARROW,
  /// Takes a while, and stops when cancelled.
  SLOW,
  /// Is cancelled while it runs.
  DOOMED,
  /// Is cancelled by its submitter, at once.
  DROPPED,
  /// Exceeds its time limit, ignores cancels and interrupts, and returns late.
  LATE,
  /// Runs until cancelled or released.
  LONG,
  /// Fails, and has one attempt.
  HOPELESS,
  /// Ends its process at each attempt.
  POISON;

  static final String NARROW_QUEUE = "narrow";
  static final int NARROW_LIMIT = 2;
  static final int POISON_EXIT_CODE = 87;

  private static final ChaosJobs[] MIX = {
    QUICK, FLAKY, NARROW, SLOW, ONCE, QUICK, DOOMED, NARROW, QUICK, LATE, DROPPED, QUICK, FLAKY,
    QUICK, SLOW, ONCE
  };
  private static final Duration SLOWLY = Duration.ofMillis(25);
  private static final Duration DEAF = Duration.ofMillis(120);

  /// Kind of a key: of the mix for `run…-number`, otherwise the kind that the key begins with, such
  /// as `long-3`.
  static ChaosJobs of(String key) {
    var parts = key.split("-");
    int number = Integer.parseInt(parts[1]);
    return parts[0].startsWith("run")
        ? MIX[number % MIX.length]
        : valueOf(parts[0].toUpperCase(Locale.ROOT));
  }

  static JobRequest request(String key) {
    var work = of(key);
    var request =
        JobRequest.of(work.type(), key)
            .key(key)
            .maxAttempts(5)
            .backoff(Backoff.fixed(Duration.ofMillis(20)));
    return switch (work) {
      case ONCE, HOPELESS -> request.maxAttempts(1);
      case POISON -> request.maxAttempts(2);
      case NARROW -> request.queue(NARROW_QUEUE);
      case LATE -> request.timeout(Duration.ofMillis(20));
      case QUICK, FLAKY, SLOW, DOOMED, DROPPED, LONG -> request;
    };
  }

  String type() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Only reports of stopped handlers allow a check.
  static void cancelled(CancelReport report, ClientJournal journal) {
    if (report instanceof CancelReport.Cancelled stopped) {
      journal.say(What.CANCELLED, stopped.job());
    }
  }

  /// Handlers of one engine.
  static final class Bench {

    private final ClientJournal journal;
    private final CompletableFuture<Handoff> handoff = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    Bench(ClientJournal journal) {
      this.journal = journal;
    }

    /// Adds all handlers, with short timings. The ledger is not trimmed, so that the checks see all
    /// facts.
    HandoffBuilder furnish(HandoffBuilder builder) {
      for (var work : values()) {
        JobHandler<Json> handler = (payload, job) -> handle(work, job);
        builder.handler(work.type(), Json.class, handler);
      }
      return builder
          .workers(16)
          .cancelling(Duration.ofMillis(10), Duration.ofMillis(40))
          .shutdownGrace(Duration.ofMillis(100))
          .set("ledger.checkpoint-after", "1GiB");
    }

    Handoff start(HandoffBuilder builder) {
      var started = builder.start();
      handoff.complete(started);
      BoundedWaits.get(started.queues().limit(NARROW_QUEUE, OptionalInt.of(NARROW_LIMIT)));
      return started;
    }

    /// Lets long jobs return.
    void release() {
      released.complete(null);
    }

    private Object handle(ChaosJobs work, JobContext job) throws Exception {
      journal.say(What.BEGIN, job.id(), job.attempt(), job.queue());
      try {
        run(work, job);
        return job.attempt();
      } finally {
        journal.say(What.END, job.id(), job.attempt());
      }
    }

    private void run(ChaosJobs work, JobContext job) throws Exception {
      switch (work) {
        case QUICK, ONCE, DROPPED -> {}
        case FLAKY -> failAtFirst(job);
        case NARROW, SLOW -> {
          job.cancellation().await(SLOWLY);
          job.cancellation().throwIfCancelled();
        }
        case LONG -> {
          var cancelled = job.cancellation().asStage().thenAccept(why -> {});
          CompletableFuture.anyOf(released, cancelled.toCompletableFuture()).get();
          job.cancellation().throwIfCancelled();
        }
        case DOOMED -> {
          cancel(job);
          job.cancellation().await(BoundedWaits.PATIENCE);
          job.cancellation().throwIfCancelled();
        }
        case HOPELESS -> throw new IllegalStateException("it is hopeless");
        case LATE -> beDeafAtFirst(job);
        case POISON -> Runtime.getRuntime().halt(POISON_EXIT_CODE);
      }
    }

    private void cancel(JobContext job) {
      handoff
          .join()
          .cancel(job.id(), "it is doomed")
          .ended()
          .thenAccept(report -> cancelled(report, journal));
    }

    private static void failAtFirst(JobContext job) {
      if (job.attempt() == 1) {
        throw new IllegalStateException("NUL \0 and half a pair \ud83d");
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
}
