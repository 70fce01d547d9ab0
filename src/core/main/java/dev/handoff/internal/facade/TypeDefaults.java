package dev.handoff.internal.facade;

import dev.handoff.JobRequest;
import dev.handoff.TypeOptions;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import java.util.Map;
import java.util.TreeMap;

/// Defaults of a job type, complete: options of the builder, and the engine's own for all others.
///
/// @param usual options of a job whose request sets none; one object for all of these jobs
public record TypeDefaults(String queue, int priority, JobOptions usual, RetryChoice retries) {

  /// Defaults of a type without options of its own.
  public static final TypeDefaults NONE = of(TypeOptions.NONE);

  public static TypeDefaults of(TypeOptions options) {
    return new TypeDefaults(
        options.queue().orElse(JobSpec.DEFAULT_QUEUE),
        options.priority().orElse(0),
        usual(options),
        new RetryChoice(options.retryIf().orElse(failure -> true)));
  }

  private static JobOptions usual(TypeOptions options) {
    return new JobOptions(
        options.timeout().orElse(null),
        options.heartbeatTimeout().orElse(null),
        options.maxAttempts().orElse(JobOptions.DEFAULT.maxAttempts()),
        options.backoff().orElse(JobOptions.DEFAULT.backoff()),
        options.labels(),
        null);
  }

  String queue(JobRequest request) {
    return request.queue().orElse(queue);
  }

  int priority(JobRequest request) {
    return request.priority().orElse(priority);
  }

  /// Options of a job: those of its request, and these defaults for all others.
  JobOptions options(JobRequest request) {
    return hasNone(request)
        ? usual
        : new JobOptions(
            request.timeout().orElse(usual.timeout()),
            request.heartbeatTimeout().orElse(usual.heartbeatTimeout()),
            request.maxAttempts().orElse(usual.maxAttempts()),
            request.backoff().orElse(usual.backoff()),
            labels(request),
            request.retryIf().orElse(null));
  }

  private static boolean hasNone(JobRequest request) {
    return request.timeout().isEmpty()
        && request.heartbeatTimeout().isEmpty()
        && request.maxAttempts().isEmpty()
        && request.backoff().isEmpty()
        && request.retryIf().isEmpty()
        && request.labels().isEmpty();
  }

  private Map<String, String> labels(JobRequest request) {
    var all = new TreeMap<>(usual.labels());
    all.putAll(request.labels());
    return all;
  }
}
