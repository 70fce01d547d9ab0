package dev.handoff.internal.dispatch.ready;

/// Pause and limit of one queue, as the ready order sees them.
public interface ClaimLimit {

  /// Number of claimable jobs.
  int most();

  /// Takes a slot; an unlimited queue needs none.
  void enter();
}
