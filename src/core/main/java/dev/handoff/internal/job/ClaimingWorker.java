package dev.handoff.internal.job;

/// Owner of an attempt: a worker of a pool. Durable part of a [WorkerCredit].
///
/// @param worker name of the worker within its pool
public record ClaimingWorker(PoolId pool, String worker) {

  @Override
  public String toString() {
    return pool + "/" + worker;
  }
}
