package dev.handoff.internal.facade;

import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Submission;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.dispatch.QueueNames;
import dev.handoff.internal.job.JobSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// Validation of all submissions, from every source.
///
/// @param handlers registered handlers, by job type
public record JobSubmissions(
    Map<String, HandlerRegistration<?>> handlers,
    QueueNames queues,
    InstantSource clock,
    JsonFormat json) {

  /// Result of the validation of a request.
  public sealed interface Checked {}

  public record Fit(JobSpec spec) implements Checked {}

  /// An invalid request.
  sealed interface Misfit extends Checked {
    Submission answer();
  }

  public record Unknown(String type, Set<String> known) implements Misfit {
    @Override
    public Submission answer() {
      return new Submission.UnknownType(type, known);
    }
  }

  public record Invalid(List<String> problems) implements Misfit {
    @Override
    public Submission answer() {
      return new Submission.Invalid(problems);
    }
  }

  /// Created in advance, because it is needed when the heap is full.
  static final Submission NO_MEMORY =
      new Submission.Unavailable(
          "the heap is full: there is no memory to submit it", Duration.ofSeconds(1));

  private static final CompletionStage<Submission> TOLD_NO_MEMORY =
      AnswerStage.shared(done(NO_MEMORY));

  /// Refuses an invalid request and passes on a valid one. A full heap is answered as unavailable,
  /// because the request is not at fault.
  public CompletionStage<Submission> checked(
      JobRequest request, Function<JobSpec, CompletionStage<Submission>> passOn) {
    try {
      return switch (check(request)) {
        case Fit(var spec) -> passOn.apply(spec);
        case Misfit misfit -> done(misfit.answer());
      };
    } catch (OutOfMemoryError full) {
      return TOLD_NO_MEMORY;
    }
  }

  /// Validates a request. An unexpected failure refuses this request only, and not others of its
  /// list.
  public Checked check(JobRequest request) {
    try {
      return validated(request);
    } catch (RuntimeException unexpected) {
      return new Invalid(List.of("it cannot be validated: " + unexpected));
    }
  }

  private Checked validated(JobRequest request) {
    var handler = handlers.get(request.type());
    if (handler == null) {
      return new Unknown(request.type(), new TreeSet<>(handlers.keySet()));
    }
    JobSpec spec;
    try {
      spec = JobSpecs.of(request, clock.instant(), json, handler.defaults());
    } catch (InvalidRequestException e) {
      return new Invalid(e.problems());
    }
    var problem = queues.missing(spec.queue()).or(() -> handler.misfit(spec.payload(), json));
    return problem.isEmpty() ? new Fit(spec) : new Invalid(List.of(problem.get()));
  }

  private static CompletionStage<Submission> done(Submission answer) {
    return CompletableFuture.completedStage(answer);
  }
}
