package dev.handoff;

import dev.handoff.job.JobSpec;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// What every submission goes through, whoever it comes from.
final class Submissions {

  private Submissions() {}

  /// Refuses what breaks a rule, and passes on what does not.
  ///
  /// @param types what can be run here
  static CompletionStage<Submission> checked(
      JobRequest request,
      Set<String> types,
      Instant now,
      JsonFormat json,
      Function<JobSpec, CompletionStage<Submission>> passOn) {
    if (!types.contains(request.type())) {
      return CompletableFuture.completedStage(
          new Submission.UnknownType(request.type(), new TreeSet<>(types)));
    }
    JobSpec spec;
    try {
      spec = request.toSpec(now, json);
    } catch (InvalidRequestException e) {
      return CompletableFuture.completedStage(new Submission.Invalid(e.problems()));
    }
    return passOn.apply(spec);
  }
}
