package dev.handoff.dispatch;

import dev.handoff.job.Json;

/// What an attempt runs: a handler, with its payload still as JSON.
///
/// @param blocking whether it runs on a platform thread
public record AttemptCode(boolean blocking, Body body) {

  /// Called on a thread of its own.
  @FunctionalInterface
  public interface Body {
    Json run(Attempt attempt) throws Exception;
  }
}
