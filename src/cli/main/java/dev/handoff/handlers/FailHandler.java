package dev.handoff.handlers;

import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Handler that fails, for tests: `{"message": "out of paper", "times": 2}` fails the first two
/// attempts and succeeds in the third; without `times` every attempt fails.
final class FailHandler implements JobHandler.Checking<FailHandler.@Nullable Request> {

  /// @param message text of the error
  /// @param times number of failing attempts; null = all
  record Request(@Nullable String message, @Nullable Integer times) {}

  /// Accepts every readable request.
  @Override
  public void check(@Nullable Request request) {}

  @Override
  public Object handle(@Nullable Request request, JobContext job) throws Exception {
    if (request == null || request.times() == null || job.attempt() <= request.times()) {
      throw new HandlerFailedException(
          request == null || request.message() == null
              ? "failed, as it was asked to"
              : request.message());
    }
    return Map.of("attempt", job.attempt());
  }
}
