package dev.handoff;

import dev.handoff.job.JobReply;

/// The engine cannot answer now: its store is away, or it is being read back. Ask again later.
public final class UnavailableException extends RuntimeException {

  UnavailableException(JobReply reply) {
    super(reason(reply));
  }

  UnavailableException(String reason) {
    super(reason);
  }

  private static String reason(JobReply reply) {
    return switch (reply) {
      case JobReply.Unavailable(var job, var reason, var retryAfter) ->
          "%s; try again in %d ms".formatted(reason, retryAfter.toMillis());
      case JobReply.Refused(var job, var reason) -> reason;
      case JobReply other ->
          "job " + other.job() + " gave an answer that does not fit the question";
    };
  }
}
