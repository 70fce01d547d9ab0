package dev.handoff.internal.facade;

import dev.handoff.CancelHandle;
import dev.handoff.CancelReport;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobNotFoundException;
import dev.handoff.JobNotKeptException;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.SubmitReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/// Requests of the public API about jobs. Stages for internal use run their callbacks on engine
/// threads; the public API wraps them for users.
public final class JobCalls {

  private final RunningEngine engine;
  private final JobRoute route;
  private final JobAnswers answers;

  public JobCalls(RunningEngine engine) {
    this.engine = engine;
    this.route = new JobRoute(engine.doors().partitions(), engine.submissions().clock());
    this.answers = new JobAnswers(this);
  }

  public RunningEngine engine() {
    return engine;
  }

  /// Handle of a job id; the job need not exist.
  public JobHandle handle(JobId id) {
    return new EngineJobHandle(id, this);
  }

  /// Returns a stage for users, or a completed stage.
  public CompletionStage<Submission> submit(JobRequest request) {
    return engine.submissions().checked(request, this::submit);
  }

  private CompletionStage<Submission> submit(JobSpec spec) {
    var target = route.of(spec);
    return engine
        .calls()
        .<Partition.Command, SubmitReply, Submission>answer(
            target.partition(),
            replyTo -> new Partition.Submit(target.id(), spec, replyTo),
            EngineCalls.PATIENCE,
            answers::submission);
  }

  public CompletionStage<List<Submission>> submit(List<JobRequest> requests) {
    return new ListSubmission(
            engine, answers::submission, List.copyOf(requests), EngineCalls.PATIENCE)
        .submit();
  }

  /// Returns stages for users.
  public CancelHandle cancel(JobId id, String reason, String by) {
    CompletionStage<JobReply> reply =
        ask(id, replyTo -> new Job.Do(new JobCommand.Cancel(reason, by), replyTo));
    return new CancelHandle(
        id,
        AnswerStage.of(reply.thenApply(answers::requested)),
        AnswerStage.of(reply.thenCompose(answer -> ended(id, answer))));
  }

  private CompletionStage<CancelReport> ended(JobId id, JobReply reply) {
    return switch (reply) {
      case JobReply.Done(var state) when !state.ended() -> watch(id, JobOutcomes::report);
      case JobReply over -> CompletableFuture.completedStage(answers.cancelled(id, over));
    };
  }

  public CompletionStage<RetryAnswer> retry(JobId id, String by) {
    return this.<JobReply>ask(id, replyTo -> new Job.Do(new JobCommand.Retry(by), replyTo))
        .handle((reply, failure) -> answers.retried(id, reply, failure));
  }

  /// The stage fails with a [JobNotKeptException] if the job is missing and may have been dropped.
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    return ask(id, Job.Get::new)
        .thenApply(reply -> MissingJobs.unless(answers.found(reply), id, answers.mayDrop()));
  }

  /// Variant for jobs that are never dropped: empty if the job does not exist.
  public CompletionStage<Optional<JobInfo>> jobIfThere(JobId id) {
    return ask(id, Job.Get::new).thenApply(answers::found);
  }

  /// The stage fails with a [JobNotFoundException] if the job does not exist.
  CompletionStage<JobInfo> status(JobId id) {
    return job(id).thenApply(found -> found.orElseThrow(() -> new JobNotFoundException(id)));
  }

  /// Returns a stage for users.
  AnswerStage<Outcome> result(JobId id) {
    return watch(id, JobOutcomes::of);
  }

  /// Returns a stage for users.
  AnswerStage<JobInfo> ended(JobId id) {
    return watch(id, answers::info);
  }

  private <T> AnswerStage<T> watch(JobId id, Function<JobState, T> told) {
    return new JobWatch<>(id, engine, told).start();
  }

  private <R> CompletionStage<R> ask(JobId id, Function<ActorRef<R>, Job.Command> message) {
    return engine
        .calls()
        .ask(
            engine.doors().gateway(),
            replyTo -> new Gateway.Route(new JobEnvelope(id, message.apply(replyTo))));
  }
}
