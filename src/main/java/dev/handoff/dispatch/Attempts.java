package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import dev.handoff.job.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The attempts that the pools have.
///
/// ```
/// begun ─▶ freed
///   └─ not on its pool's list any more, or the pool is gone: lost ─▶ freed, or the job says that it is over
/// ```
///
/// A job is told of its worker's loss with each heartbeat until one of the two happens. One whose
/// attempt goes on is asked now and then whether that is so.
final class Attempts {

  /// After so many heartbeats a job is asked, and again after as many.
  private static final int BEATS_BETWEEN_QUESTIONS = 5;

  private final Pools pools;
  private final Limits limits;
  private final ToJobs jobs;
  private final Consumer<JobNotice.Ready> enter;
  private final Map<JobId, Handed> attempts = new HashMap<>();

  /// @param enter takes a job that wants a worker
  Attempts(Pools pools, Limits limits, ToJobs jobs, Consumer<JobNotice.Ready> enter) {
    this.pools = pools;
    this.limits = limits;
    this.jobs = jobs;
    this.enter = enter;
  }

  Collection<Handed> all() {
    return attempts.values();
  }

  /// A claim is durable. A pool that has gone in the meantime will not run it. An earlier attempt
  /// of the job is over, whether that was heard of or not.
  void begin(Handed attempt) {
    var before = attempts.get(attempt.job);
    if (before != null && before.attempt >= attempt.attempt) {
      limits.leave(attempt);
      return;
    }
    attempts.put(attempt.job, attempt);
    if (before != null) {
      limits.leave(before);
    }
    if (attempt.credit == null || pools.get(attempt.pool) == null) {
      lose(attempt);
    }
  }

  /// An attempt is over. Whatever came late, its begin or this: what the job wants since then
  /// holds.
  void free(JobId job, int attempt) {
    var running = attempts.get(job);
    if (running != null && running.attempt == attempt) {
      remove(running);
      if (running.again != null) {
        enter.accept(running.again);
      }
    }
  }

  private void remove(Handed attempt) {
    attempts.remove(attempt.job);
    limits.leave(attempt);
  }

  /// A job that was told of its worker's loss, or was asked how it is, has answered.
  void answered(JobReply reply) {
    switch (reply) {
      case JobReply.Fenced(var job, int attempt, int current) -> free(job, attempt);
      case JobReply.NotFound(var job) -> freeIfLost(job);
      case JobReply.Done(var state) -> freeIfOver(state);
      case JobReply freedByNotice -> {}
    }
  }

  /// A state from before the attempt says nothing about it.
  private void freeIfOver(JobState job) {
    var known = attempts.get(job.id());
    boolean over =
        known != null
            && (job.attempt() > known.attempt
                || job.attempt() == known.attempt && job.underway().isEmpty());
    if (over) {
      free(job.id(), known.attempt);
    }
  }

  private void freeIfLost(JobId job) {
    var running = attempts.get(job);
    if (running != null && running.lost) {
      remove(running);
    }
  }

  /// A job's actor was made anew: it is told where its worker is, or that it is lost.
  void restore(JobNotice.Underway underway) {
    var running = attempts.get(underway.job());
    if (running != null && running.attempt == underway.attempt() && !running.lost) {
      running.ref = underway.ref();
      running.ref.tell(new Job.Restore(running.credit));
    } else {
      begin(Handed.unknown(underway));
    }
  }

  /// The pool is gone, and what it had.
  void loseAllOf(PoolId pool) {
    attempts.values().stream().filter(attempt -> attempt.pool.equals(pool)).forEach(this::lose);
  }

  /// Compares with the list of a pool. What it lists may not have started; what it does not list
  /// any more is lost.
  ///
  /// @param listed what the pool lists; what is known here is taken out
  /// @param upTo the last credit that could be in the list
  void compare(PoolId pool, Set<Long> listed, long upTo) {
    for (var attempt : attempts.values()) {
      if (attempt.pool.equals(pool) && attempt.credit != null && !attempt.lost) {
        long number = attempt.credit.number();
        if (listed.remove(number)) {
          listed(attempt, number);
        } else if (number <= upTo) {
          lose(attempt);
        }
      }
    }
  }

  /// Its end may not have been heard of: then the worker would wait for it for ever.
  private void listed(Handed attempt, long credit) {
    attempt.ref.tell(new Job.RunAgain(credit));
    if (++attempt.listed % BEATS_BETWEEN_QUESTIONS == 0) {
      jobs.askForState(attempt.job);
    }
  }

  boolean has(Credit credit) {
    return attempts.values().stream().anyMatch(attempt -> credit.equals(attempt.credit));
  }

  /// Tells those jobs again that have not answered.
  void repeat() {
    attempts.values().stream().filter(attempt -> attempt.lost).forEach(this::lose);
  }

  private void lose(Handed attempt) {
    attempt.lost = true;
    jobs.loseWorker(attempt.job, attempt.attempt);
  }

  /// An attempt waits for a child.
  void park(FromPool.Parked parked) {
    var attempt = find(parked.job(), parked.pool(), parked.credit());
    if (attempt != null && !attempt.parked && parked.round() > attempt.resumed) {
      attempt.parked = true;
      limits.leave(attempt);
    }
  }

  /// An attempt wants to go on. One that has its slot has nothing to wait for; nor has one that is
  /// not known, which is about to hear that it is over.
  void unpark(FromPool.Unpark wish) {
    var attempt = find(wish.job(), wish.pool(), wish.credit());
    if (attempt == null) {
      tell(wish.pool(), new WorkerPool.MayGoOn(wish.credit(), wish.round()));
      return;
    }
    attempt.resuming = Math.max(attempt.resuming, wish.round());
    if (attempt.parked) {
      limits.enter(attempt);
    } else {
      goOn(attempt);
    }
  }

  /// An attempt may go on: it has a slot, or needs none.
  void goOn(Handed attempt) {
    attempt.parked = false;
    attempt.resumed = attempt.resuming;
    tell(attempt.pool, new WorkerPool.MayGoOn(attempt.credit.number(), attempt.resumed));
  }

  private @Nullable Handed find(JobId job, PoolId pool, long credit) {
    var attempt = attempts.get(job);
    return attempt != null && attempt.runsOn(pool, credit) ? attempt : null;
  }

  private void tell(PoolId id, WorkerPool.Command message) {
    var pool = pools.get(id);
    if (pool != null) {
      pool.ref.tell(message);
    }
  }

  /// A new count of a queue's slots begins.
  ///
  /// @return how many are in use
  int beginEra(String queue, long era) {
    int using = 0;
    for (var attempt : attempts.values()) {
      if (attempt.queue.equals(queue) && !attempt.parked) {
        attempt.slot = era;
        using++;
      }
    }
    return using;
  }
}
