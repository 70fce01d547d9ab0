package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.JobId;
import dev.handoff.job.WorkerOrder;
import org.jspecify.annotations.Nullable;

/// An attempt whose handler runs, as its worker sees it.
///
/// @param run tells this run of the worker from earlier ones
/// @param stopped why it was asked to stop; null if it was not
record RunningAttempt(
    int run,
    WorkerOrder.Run order,
    Attempt attempt,
    Thread thread,
    @Nullable Cancellation stopped,
    Parking parking) {

  RunningAttempt stopped(Cancellation why) {
    return new RunningAttempt(run, order, attempt, thread, why, parking);
  }

  RunningAttempt with(Parking next) {
    return new RunningAttempt(run, order, attempt, thread, stopped, next);
  }

  boolean has(long credit) {
    return order.credit() == credit;
  }

  boolean isOf(WorkerOrder.Run other) {
    return has(other.credit()) && order.job().equals(other.job());
  }

  boolean isOf(WorkerOrder.Stop stop) {
    return has(stop.credit()) && order.job().equals(stop.job());
  }

  JobId job() {
    return order.job();
  }

  int number() {
    return order.attempt();
  }
}
