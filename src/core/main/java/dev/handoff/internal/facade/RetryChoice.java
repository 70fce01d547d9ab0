package dev.handoff.internal.facade;

import dev.handoff.JobError;
import dev.handoff.NonRetryableException;
import dev.handoff.internal.dispatch.worker.AttemptCode;
import dev.handoff.internal.job.JobSpec;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Retry decision for a failed attempt: never after a [NonRetryableException] or an unreadable
/// payload, otherwise by the job's own rule, and without one by the predicate of its type.
record RetryChoice(Predicate<Throwable> ofType) implements AttemptCode.Retries {

  private static final Logger log = LoggerFactory.getLogger(RetryChoice.class);
  private static final int MOST_CAUSES = 50;

  @Override
  public @Nullable String whyNot(Throwable failure, JobSpec spec) {
    if (failure instanceof PayloadMisfitException) {
      return "its payload will not be readable later";
    }
    if (isNonRetryable(failure)) {
      return "a NonRetryableException";
    }
    var own = spec.options().retryIf();
    if (own == null) {
      return byType(failure, spec.type()) ? null : "excluded by the retryIf of its type";
    }
    return own.allows(failure) ? null : "excluded by its retryIf";
  }

  /// Whether the failure or one of its causes is a [NonRetryableException].
  private static boolean isNonRetryable(Throwable failure) {
    int causes = 0;
    for (Throwable each = failure; each != null && causes++ < MOST_CAUSES; each = each.getCause()) {
      if (each instanceof NonRetryableException) {
        return true;
      }
    }
    return false;
  }

  /// Asks the predicate of the host. If the predicate throws, the job is retried, because the
  /// failure is not the job's.
  private boolean byType(Throwable failure, String type) {
    try {
      return ofType.test(JobError.unwrapped(failure));
    } catch (Throwable broken) {
      log.warn(
          "type [{}]: its retryIf has failed, so that there is another attempt: {}",
          type,
          JobError.of(broken).stack());
      return true;
    }
  }
}
