package dev.handoff.internal.facade;

import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reasons of requests without an answer, in words for users.
public final class UnavailableReasons {

  private UnavailableReasons() {}

  /// Reason of a failed stage.
  public static String of(@Nullable Throwable failure) {
    return failure == null
        ? "no answer"
        : String.valueOf(StageFailures.cause(failure).getMessage());
  }

  /// Reason with the time of the next try.
  public static String of(String reason, Duration retryAfter) {
    return "%s; try again in %s".formatted(reason, Durations.exact(retryAfter));
  }

  /// Reason of a job's reply that does not fit the question.
  public static String of(JobReply reply) {
    return switch (reply) {
      case JobReply.Unavailable(var job, var reason, var retryAfter) -> of(reason, retryAfter);
      case JobReply.Refused(var job, var reason) -> reason;
      case JobReply other ->
          "job " + other.job() + " gave an answer that does not fit the question";
    };
  }

  /// Reason of a plan's reply that does not fit the question.
  public static String of(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Unavailable(var plan, var reason, var retryAfter) -> of(reason, retryAfter);
      case PlanReply.Refused(var plan, var reason) -> reason;
      case PlanReply other ->
          "plan " + other.plan() + " gave an answer that does not fit the question";
    };
  }
}
