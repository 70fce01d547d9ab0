package dev.handoff.job;

/// Who holds an attempt: a worker of a pool. What is durable of a [Credit].
///
/// @param worker the worker's name within its pool
public record Claimant(PoolId pool, String worker) {

  @Override
  public String toString() {
    return pool + "/" + worker;
  }
}
