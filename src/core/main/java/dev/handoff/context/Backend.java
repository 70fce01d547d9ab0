package dev.handoff.context;

/// A data source for strategies.
public enum Backend {
  /// Files of a workspace and their index.
  FILES,
  /// History of the git repository around the workspace.
  GIT,
  /// Decisions of the plan that issues the request.
  PLAN
}
