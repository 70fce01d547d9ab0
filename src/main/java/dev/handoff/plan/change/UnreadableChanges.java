package dev.handoff.plan.change;

/// What a plan's changes come to cannot be told, for something that they consist of is missing or
/// damaged in the store. Says what, and of which changeset.
public final class UnreadableChanges extends RuntimeException {

  public UnreadableChanges(String what, Throwable cause) {
    super(what + "; verify the plan to see all that was altered", cause);
  }

  UnreadableChanges(String what) {
    this(what, null);
  }
}
