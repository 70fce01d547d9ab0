package dev.handoff.internal.facade;

import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.LocatedProblem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Specifications of jobs, from requests and the defaults of their types.
public final class JobSpecs {

  private JobSpecs() {}

  /// Payload of a request, as JSON.
  ///
  /// @throws InvalidRequestException if the payload cannot be written as JSON
  public static Json payload(JobRequest request, JsonFormat json) {
    return request.payload() instanceof Json written
        ? written
        : json.write("payload", request.payload());
  }

  /// Specification of a request, without the defaults of its type.
  ///
  /// @throws InvalidRequestException naming every broken rule
  public static JobSpec of(JobRequest request, Instant now, JsonFormat json) {
    return of(request, now, json, TypeDefaults.NONE);
  }

  /// Specification of a request, with the defaults of its type for all missing options. Times are
  /// truncated to milliseconds, the precision of the store, so a request describes the same job
  /// before and after a restart.
  ///
  /// @throws InvalidRequestException naming every broken rule
  public static JobSpec of(JobRequest request, Instant now, JsonFormat json, TypeDefaults usual) {
    var problems = new ArrayList<LocatedProblem>();
    var spec = of(request, written(request, json, problems), now, usual, problems);
    if (!problems.isEmpty()) {
      throw new InvalidRequestException(LocatedProblem.messages(problems));
    }
    return spec;
  }

  /// Broken rules of a request whose payload is JSON.
  static List<LocatedProblem> problems(JobRequest request, Json payload, Instant now) {
    var problems = new ArrayList<LocatedProblem>();
    if (payload.size() > JsonFormat.MOST) {
      problems.add(LocatedProblem.of("payload", JsonFormat.tooLargeText("payload")));
    }
    of(request, payload, now, TypeDefaults.NONE, problems);
    return problems;
  }

  private static JobSpec of(
      JobRequest request,
      Json written,
      Instant now,
      TypeDefaults usual,
      List<LocatedProblem> problems) {
    var due = due(request, now, problems);
    var spec =
        new JobSpec(
            request.type(),
            written,
            usual.queue(request),
            usual.priority(request),
            request.key().orElse(null),
            due,
            usual.options(request),
            null);
    SubmissionRules.check(spec, problems);
    return spec;
  }

  private static @Nullable Instant due(
      JobRequest request, Instant now, List<LocatedProblem> problems) {
    if (request.delay().isEmpty()) {
      return request
          .runAt()
          .map(time -> SubmissionRules.time("runAt", time, problems))
          .orElse(null);
    }
    var delay = request.delay().get();
    if (delay.isNegative() || delay.compareTo(SubmissionRules.LONGEST_DELAY) > 0) {
      problems.add(
          LocatedProblem.of(
              "delay",
              "delay must be 0s to %s, was %s"
                  .formatted(
                      Durations.exact(SubmissionRules.LONGEST_DELAY), Durations.exact(delay))));
      return null;
    }
    return now.plus(delay).truncatedTo(ChronoUnit.MILLIS);
  }

  private static Json written(JobRequest request, JsonFormat json, List<LocatedProblem> problems) {
    try {
      return json.write("payload", request.payload());
    } catch (InvalidRequestException e) {
      e.problems().forEach(wrong -> problems.add(LocatedProblem.of("payload", wrong)));
      return Json.NULL;
    }
  }
}
