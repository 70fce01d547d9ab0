package dev.handoff;

import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.plan.PlanReply;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The engine cannot answer now: its store is away, its state is being recovered, or it has ended.
/// Retry later.
public final class UnavailableException extends RuntimeException {

  UnavailableException(JobReply reply) {
    super(reason(reply));
  }

  UnavailableException(PlanReply reply) {
    super(reason(reply));
  }

  UnavailableException(String reason) {
    super(reason);
  }

  /// Exception for the failure of a stage.
  static UnavailableException of(@Nullable Throwable failure) {
    return switch (failure) {
      case UnavailableException unavailable -> unavailable;
      case CompletionException wrapper when wrapper.getCause() != null -> of(wrapper.getCause());
      case null -> new UnavailableException("no answer");
      case Throwable other -> new UnavailableException(String.valueOf(other.getMessage()));
    };
  }

  private static String reason(JobReply reply) {
    return switch (reply) {
      case JobReply.Unavailable(var job, var reason, var retryAfter) ->
          "%s; try again in %s".formatted(reason, Durations.exact(retryAfter));
      case JobReply.Refused(var job, var reason) -> reason;
      case JobReply other ->
          "job " + other.job() + " gave an answer that does not fit the question";
    };
  }

  private static String reason(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Unavailable(var plan, var reason, var retryAfter) ->
          "%s; try again in %s".formatted(reason, Durations.exact(retryAfter));
      case PlanReply.Refused(var plan, var reason) -> reason;
      case PlanReply other ->
          "plan " + other.plan() + " gave an answer that does not fit the question";
    };
  }
}
