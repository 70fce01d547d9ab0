package dev.handoff.internal.facade.attempt;

import dev.handoff.InvalidRequestException;
import dev.handoff.JobContext;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.NonRetryableException;
import dev.handoff.Outcome;
import dev.handoff.Submission;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.dispatch.worker.AttemptCode;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.facade.ContextCalls;
import dev.handoff.internal.facade.HandlerRegistration;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.JobOutcomes;
import dev.handoff.internal.facade.JobSubmissions;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.job.ChildReply;
import dev.handoff.internal.job.CommandVerdict;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.plan.capture.WorkingCopies;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.Capture;
import dev.handoff.plan.PlanChanges;
import dev.handoff.plan.WorkingCopy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Adapter between the engine (JSON, attempts) and typed handlers.
///
/// @param jobs completes when the engine has started, since handlers may run a little earlier;
///   fails if the start fails
/// @param copies parent directory of all working copies
public record HandlerAdapter(
    JsonFormat json,
    CompletableFuture<JobCalls> jobs,
    JobSubmissions submissions,
    WorkingCopies copies) {

  private static final Duration LONGEST_DELAY = Duration.ofDays(365);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  public <T> AttemptCode code(HandlerRegistration<T> registration) {
    var handler = registration.handler();
    return new AttemptCode(
        handler.isBlocking(),
        attempt -> {
          var payload = json.payload(attempt.spec().payload(), registration.payload());
          var context = new Context(attempt);
          try {
            var returned = handler.handle(payload, context);
            if (attempt.later().isPresent()) {
              return Json.NULL;
            }
            var result = result(returned);
            context.step.commit();
            return result;
          } finally {
            context.step.close();
          }
        },
        registration.defaults().retries());
  }

  /// Result as JSON. A result that cannot be written is not retryable: the next attempt would
  /// return the same.
  private Json result(@Nullable Object returned) {
    try {
      return json.write("result", returned);
    } catch (InvalidRequestException unfit) {
      throw new NonRetryableException(unfit.getMessage(), unfit);
    }
  }

  /// Context of one attempt for its handler.
  private final class Context implements JobContext {

    private final HandlerAttempt attempt;
    private final AttemptStep step;

    Context(HandlerAttempt attempt) {
      this.attempt = attempt;
      this.step = new AttemptStep(attempt, jobs, submissions.clock(), copies);
    }

    @Override
    public JobId id() {
      return attempt.job();
    }

    @Override
    public int attempt() {
      return attempt.number();
    }

    @Override
    public String type() {
      return attempt.spec().type();
    }

    @Override
    public String queue() {
      return attempt.spec().queue();
    }

    @Override
    public Map<String, String> labels() {
      return attempt.spec().options().labels();
    }

    @Override
    public CancellationToken cancellation() {
      return attempt.cancellation();
    }

    @Override
    public void progress(double fraction, String message) {
      Objects.requireNonNull(message, "message");
      attempt.progress(new Progress(fraction, message));
    }

    @Override
    public void heartbeat() {
      attempt.heartbeat();
    }

    @Override
    public void log(String line) {
      Objects.requireNonNull(line, "line");
      attempt.log(line);
    }

    @Override
    public CompletionStage<Void> checkpoint(@Nullable Object value) {
      var kept = json.write("checkpoint", value);
      return AnswerStage.of(attempt.checkpoint(kept).thenAccept(HandlerAdapter::requireRecorded));
    }

    @Override
    public <T> Optional<T> checkpoint(Class<T> type) {
      return attempt.lastCheckpoint().map(kept -> json.checkpoint(kept, type));
    }

    @Override
    public void later(Duration delay) {
      Objects.requireNonNull(delay, "delay");
      if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
        throw new IllegalArgumentException(
            "later must be 0s to %s, was %s"
                .formatted(Durations.exact(LONGEST_DELAY), Durations.exact(delay)));
      }
      attempt.later(delay.truncatedTo(ChronoUnit.MILLIS));
    }

    @Override
    public CompletionStage<Submission> submit(JobRequest request) {
      Objects.requireNonNull(request, "request");
      return AnswerStage.of(submissions.checked(request, spec -> submit(request, spec)));
    }

    private CompletionStage<Submission> submit(JobRequest request, JobSpec spec) {
      return attempt
          .submit(spec)
          .thenCombine(jobs, (reply, calls) -> submission(request, reply, calls))
          .exceptionally(Context::unavailable);
    }

    private static Submission unavailable(@Nullable Throwable failure) {
      var reason = "no answer: " + UnavailableReasons.of(failure);
      return new Submission.Unavailable(reason, RETRY_AFTER);
    }

    @Override
    public CompletionStage<ContextAnswer> context(ContextRequest request) {
      return AnswerStage.of(assembled(request));
    }

    private CompletionStage<ContextAnswer> assembled(ContextRequest request) {
      return step.with(request)
          .thenCombine(
              jobs.handle((calls, notStarted) -> Optional.ofNullable(calls)),
              (with, calls) ->
                  calls.isEmpty()
                      ? CompletableFuture.<ContextAnswer>completedStage(
                          new ContextAnswer.Unavailable("the engine did not start", RETRY_AFTER))
                      : new ContextCalls(calls.get().engine())
                          .assemble(with, attempt.cancellation()))
          .thenCompose(Function.identity());
    }

    @Override
    public Optional<String> plan() {
      return step.planId();
    }

    @Override
    public Optional<String> step() {
      return step.name();
    }

    @Override
    public PlanChanges changes() {
      return step.changes();
    }

    @Override
    public void decide(String text) {
      Objects.requireNonNull(text, "text");
      step.changes().decide(text);
    }

    @Override
    public <T> Optional<T> result(String name, Class<T> type) throws InterruptedException {
      Objects.requireNonNull(name, "step");
      Objects.requireNonNull(type, "type");
      return json.result(name, step.result(name), type);
    }

    @Override
    public WorkingCopy workingCopy(Capture capture) throws InterruptedException {
      Objects.requireNonNull(capture, "capture");
      return step.workingCopy(capture);
    }

    @Override
    public Outcome await(JobHandle child) throws InterruptedException {
      Objects.requireNonNull(child, "child");
      return JobOutcomes.of(attempt.await(child.id()));
    }
  }

  private static void requireRecorded(ReportReply reply) {
    switch (reply) {
      case ReportReply.Recorded done -> {}
      case ReportReply.Fenced(var job, int attempt, int current) -> throw notKept(over(job));
      case ReportReply.NotRecorded(var job, int attempt, var reason) -> throw notKept(reason);
      case ReportReply.Unavailable(var job, var reason, var retryAfter) -> throw notKept(reason);
    }
  }

  private static IllegalStateException notKept(String reason) {
    return new IllegalStateException("the checkpoint was not kept: " + reason);
  }

  static Submission submission(JobRequest request, ChildReply reply, JobCalls jobs) {
    return switch (reply) {
      case ChildReply.Accepted(var job, var child, boolean known) ->
          known
              ? new Submission.Existing(jobs.handle(child))
              : new Submission.Accepted(jobs.handle(child));
      case ChildReply.Declined(var job, var why, var children)
          when why == CommandVerdict.KEY_CONFLICT ->
          new Submission.KeyConflict(request.key().orElseThrow(), children.getFirst());
      case ChildReply.Declined(var job, var why, var children) ->
          new Submission.Refused(describe(job, why));
      case ChildReply.Refused(var job, var reason) -> new Submission.Refused(reason);
      case ChildReply.Unavailable(var job, var reason, var retryAfter) ->
          new Submission.Unavailable(reason, retryAfter);
    };
  }

  private static String describe(JobId job, CommandVerdict why) {
    return switch (why) {
      case BEING_CANCELLED ->
          "job %s is being stopped: it cannot submit jobs any more".formatted(job);
      case TOO_MANY_CHILDREN -> "job %s has as many children as a job may have".formatted(job);
      case DONE, DECLINED, FENCED, STEP_OF_A_PLAN, ALREADY_FINISHED, KEY_CONFLICT -> over(job);
    };
  }

  private static String over(JobId job) {
    return "this attempt of job " + job + " is over for the engine";
  }
}
