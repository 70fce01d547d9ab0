package dev.handoff;

import dev.handoff.dispatch.QueueNames;
import dev.handoff.job.JobSpec;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// What every submission goes through, whoever it comes from.
///
/// @param types what can be run here
record Submissions(Set<String> types, QueueNames queues, InstantSource clock, JsonFormat json) {

  /// Refuses what breaks a rule, and passes on what does not.
  CompletionStage<Submission> checked(
      JobRequest request, Function<JobSpec, CompletionStage<Submission>> passOn) {
    if (!types.contains(request.type())) {
      return CompletableFuture.completedStage(
          new Submission.UnknownType(request.type(), new TreeSet<>(types)));
    }
    JobSpec spec;
    try {
      spec = request.toSpec(clock.instant(), json);
    } catch (InvalidRequestException e) {
      return CompletableFuture.completedStage(new Submission.Invalid(e.problems()));
    }
    var missing = queues.missing(spec.queue());
    return missing.isPresent()
        ? CompletableFuture.completedStage(new Submission.Invalid(List.of(missing.get())))
        : passOn.apply(spec);
  }
}
