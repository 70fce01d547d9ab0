package dev.handoff;

import dev.handoff.dispatch.QueueNames;
import dev.handoff.job.JobSpec;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// What every submission goes through, whoever it comes from.
///
/// @param handlers what can be run here, by type
record Submissions(
    Map<String, HandoffBuilder.Registration<?>> handlers,
    QueueNames queues,
    InstantSource clock,
    JsonFormat json) {

  /// What became of a request.
  sealed interface Checked {}

  record Fit(JobSpec spec) implements Checked {}

  record Unfit(Submission answer) implements Checked {}

  /// Refuses what breaks a rule, and passes on what does not.
  CompletionStage<Submission> checked(
      JobRequest request, Function<JobSpec, CompletionStage<Submission>> passOn) {
    return switch (check(request)) {
      case Fit(var spec) -> passOn.apply(spec);
      case Unfit(var answer) -> CompletableFuture.completedStage(answer);
    };
  }

  /// Whether a request breaks a rule.
  Checked check(JobRequest request) {
    var handler = handlers.get(request.type());
    if (handler == null) {
      return new Unfit(
          new Submission.UnknownType(request.type(), new TreeSet<>(handlers.keySet())));
    }
    JobSpec spec;
    try {
      spec = request.toSpec(clock.instant(), json);
    } catch (InvalidRequestException e) {
      return new Unfit(new Submission.Invalid(e.problems()));
    }
    var problem = queues.missing(spec.queue()).or(() -> handler.misfit(spec.payload(), json));
    return problem.isEmpty()
        ? new Fit(spec)
        : new Unfit(new Submission.Invalid(List.of(problem.get())));
  }
}
