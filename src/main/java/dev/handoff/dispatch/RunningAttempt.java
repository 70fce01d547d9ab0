package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.JobId;
import dev.handoff.job.WorkerOrder;
import java.util.concurrent.CompletableFuture;
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

  /// The attempt's own thread may wait for one child while another thread of it waits for a second
  /// one: it is parked until the first of them goes on. One that is being stopped is not: it only
  /// has to clean up.
  boolean mayPark() {
    return stopped == null && !isParked();
  }

  boolean isParked() {
    return parking.parked();
  }

  /// A thread of the attempt waits for a child.
  RunningAttempt park() {
    return with(parking.park());
  }

  /// A thread of the attempt has waited, and wants to go on.
  RunningAttempt plus(CompletableFuture<Void> waiting) {
    return with(parking.plus(waiting));
  }

  /// Lets all threads of the attempt that wait for a place go on.
  RunningAttempt goOn() {
    return with(parking.goOn());
  }

  private RunningAttempt with(Parking next) {
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
