package dev.handoff;

import dev.handoff.dispatch.AttemptCode;
import dev.handoff.job.JobError;
import dev.handoff.job.JobSpec;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether a failure of an attempt is worth another one: never if it says so itself, else as the
/// job's own rule says, and without one as the predicate of its type does.
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

  /// Also as a cause.
  private static boolean isNonRetryable(Throwable failure) {
    int causes = 0;
    for (Throwable each = failure; each != null && causes++ < MOST_CAUSES; each = each.getCause()) {
      if (each instanceof NonRetryableException) {
        return true;
      }
    }
    return false;
  }

  /// Code of the host: what it throws is not the job's fault.
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
