package dev.handoff.plan;

/// Missing or damaged content in the store, which makes a plan's combined changes unknown. The
/// message names the content and its changeset.
public final class UnreadableChanges extends RuntimeException {

  public UnreadableChanges(String what, Throwable cause) {
    super(what + "; verify the plan to see all that was altered", cause);
  }

  public UnreadableChanges(String what) {
    this(what, null);
  }
}
