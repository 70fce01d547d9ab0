package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WorkerCredit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Attempts that run in the worker pools.
///
/// ```
/// begun ─▶ freed
///   └─ missing in its pool's list, or the pool is gone: lost ─▶ freed, or the job answers that the attempt is over
/// ```
///
/// Each heartbeat repeats the loss of a worker to the job, until the job frees the attempt or
/// answers. A job whose attempt goes on is asked for its state from time to time.
final class DispatchedAttempts {

  /// Number of heartbeats between two queries of a job's state.
  private static final int BEATS_BETWEEN_QUESTIONS = 5;

  private final PoolRegistry pools;
  private final QueueLimits limits;
  private final JobSender jobs;
  private final Consumer<JobNotice.Ready> enter;
  private final Map<JobId, DispatchedAttempt> attempts = new HashMap<>();

  /// @param enter adds a job that wants a worker
  DispatchedAttempts(
      PoolRegistry pools, QueueLimits limits, JobSender jobs, Consumer<JobNotice.Ready> enter) {
    this.pools = pools;
    this.limits = limits;
    this.jobs = jobs;
    this.enter = enter;
  }

  Collection<DispatchedAttempt> all() {
    return attempts.values();
  }

  /// Registers a durable claim. Its worker is lost if the pool has gone since the offer.
  void begin(DispatchedAttempt attempt) {
    if (register(attempt) && pools.get(attempt.pool) == null) {
      lose(attempt);
    }
  }

  /// Registers an attempt. An earlier attempt of the job is over, even if its end was never
  /// reported.
  ///
  /// @return whether the attempt is the job's latest
  private boolean register(DispatchedAttempt attempt) {
    var before = attempts.get(attempt.job);
    if (before != null && before.attempt >= attempt.attempt) {
      limits.leave(attempt);
      return false;
    }
    attempts.put(attempt.job, attempt);
    if (before != null) {
      limits.leave(before);
    }
    return true;
  }

  /// Frees an ended attempt, also after a late `Taken`, and re-enters the `Ready` that the job sent
  /// since.
  void free(JobId job, int attempt) {
    var running = attempts.get(job);
    if (running != null && running.attempt == attempt) {
      remove(running);
      if (running.again != null) {
        enter.accept(running.again);
      }
    }
  }

  private void remove(DispatchedAttempt attempt) {
    attempts.remove(attempt.job);
    limits.leave(attempt);
  }

  /// Handles a job's reply to a lost worker.
  void answered(ReportReply reply) {
    switch (reply) {
      case ReportReply.Fenced(var job, int attempt, int current) -> free(job, attempt);
      case ReportReply.Recorded freedByNotice -> {}
      case ReportReply.NotRecorded repeated -> {}
      case ReportReply.Unavailable repeated -> {}
    }
  }

  /// Handles a job's reply to a state query.
  void answered(StateReply reply) {
    switch (reply) {
      case StateReply.Found(var state) -> freeIfOver(state);
      case StateReply.NotFound(var job) -> freeIfLost(job);
      case StateReply.Unavailable later -> {}
    }
  }

  /// A state older than the attempt proves nothing.
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

  /// Gives a job's new actor its worker. A worker that this dispatcher does not know is lost: the
  /// claim is older than the dispatcher, or its pool has gone.
  void restore(JobNotice.Underway underway) {
    var running = attempts.get(underway.job());
    if (running != null && running.attempt == underway.attempt() && !running.lost) {
      running.ref = underway.ref();
      running.ref.tell(new Job.Restore(running.credit));
    } else {
      var unknown = DispatchedAttempt.unknown(underway);
      if (register(unknown)) {
        lose(unknown);
      }
    }
  }

  /// Reports all attempts of a lost pool as lost.
  void loseAllOf(PoolId pool) {
    attempts.values().stream().filter(attempt -> attempt.pool.equals(pool)).forEach(this::lose);
  }

  /// Compares the attempts with a pool's list. A listed attempt may not have started; an attempt
  /// missing from the list is lost.
  ///
  /// @param listed credits in the list; credits known here are removed from it
  /// @param upTo last credit that the list could contain
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

  /// Queries the job's state periodically: without a known end, the worker of an ended attempt
  /// would wait for ever.
  private void listed(DispatchedAttempt attempt, long credit) {
    attempt.ref.tell(new Job.RunAgain(credit));
    if (++attempt.listed % BEATS_BETWEEN_QUESTIONS == 0) {
      jobs.askForState(attempt.job);
    }
  }

  boolean has(WorkerCredit credit) {
    return attempts.values().stream().anyMatch(attempt -> credit.equals(attempt.credit));
  }

  /// Repeats the loss to jobs without an answer.
  void repeat() {
    attempts.values().stream().filter(attempt -> attempt.lost).forEach(this::lose);
  }

  private void lose(DispatchedAttempt attempt) {
    attempt.lost = true;
    jobs.loseWorker(attempt.job, attempt.attempt);
  }

  /// Releases a waiting attempt's queue slot.
  void park(PoolMessage.Parked parked) {
    var attempt = find(parked.job(), parked.pool(), parked.credit());
    if (attempt != null && !attempt.parked && parked.round() > attempt.resumed) {
      attempt.parked = true;
      limits.leave(attempt);
    }
  }

  /// Resumes an attempt after its wait, as soon as it has a slot. An attempt that kept its slot
  /// resumes immediately. So does an unknown attempt, which will soon be told that it is over.
  void unpark(PoolMessage.Unpark wish) {
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

  /// Resumes an attempt that has a slot, or whose queue is unlimited.
  void goOn(DispatchedAttempt attempt) {
    attempt.parked = false;
    attempt.resumed = attempt.resuming;
    tell(attempt.pool, new WorkerPool.MayGoOn(attempt.credit.number(), attempt.resumed));
  }

  private @Nullable DispatchedAttempt find(JobId job, PoolId pool, long credit) {
    var attempt = attempts.get(job);
    return attempt != null && attempt.runsOn(pool, credit) ? attempt : null;
  }

  private void tell(PoolId id, WorkerPool.Command message) {
    var pool = pools.get(id);
    if (pool != null) {
      pool.ref.tell(message);
    }
  }

  /// Begins a new slot era of a queue.
  ///
  /// @return number of slots in use
  int beginEra(String queue, long era) {
    int using = 0;
    for (var attempt : attempts.values()) {
      if (attempt.queue.equals(queue) && !attempt.parked) {
        attempt.slotEra = era;
        using++;
      }
    }
    return using;
  }
}
