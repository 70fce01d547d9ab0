package dev.handoff.context;

/// A source that strategies read.
public enum Backend {
  /// The files of a workspace and their index.
  FILES,
  /// The history of a git repository around it.
  GIT,
  /// The plan that the request belongs to.
  PLAN
}
