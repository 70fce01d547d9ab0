package dev.handoff.handlers;

import dev.handoff.CheckingHandler;
import dev.handoff.JobContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Fails, to see what happens then: `{"message": "out of paper", "times": 2}` fails the first two
/// attempts and succeeds in the third; without `times` it always fails.
final class Fail implements CheckingHandler<Fail.@Nullable Request> {

  /// @param message what the error says
  /// @param times how many attempts fail; null = all
  record Request(@Nullable String message, @Nullable Integer times) {}

  /// What can be read as one will do.
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
