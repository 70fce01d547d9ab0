package dev.handoff;

import dev.handoff.ask.AnswerStage;
import dev.handoff.engine.Gateway;
import dev.handoff.engine.Partition;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.SubmitReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/// The questions of the public face about jobs. Stages that the engine goes on with are its own;
/// the public face makes them users'.
final class JobCalls {

  private final Handoff.Inside inside;
  private final JobRoute route;
  private final JobAnswers answers;

  JobCalls(Handoff.Inside inside, Handoff handoff) {
    this.inside = inside;
    this.route = new JobRoute(inside.doors().partitions(), inside.submissions().clock());
    this.answers = new JobAnswers(inside, handoff);
  }

  /// A user's stage, or one that is complete.
  CompletionStage<Submission> submit(JobRequest request) {
    return inside.submissions().checked(request, this::submit);
  }

  private CompletionStage<Submission> submit(JobSpec spec) {
    var target = route.of(spec);
    return inside
        .calls()
        .<Partition.Command, SubmitReply, Submission>answer(
            target.partition(),
            replyTo -> new Partition.Submit(target.id(), spec, replyTo),
            Calls.PATIENCE,
            answers::submission);
  }

  CompletionStage<List<Submission>> submit(List<JobRequest> requests) {
    return new ListSubmission(inside, answers::submission, List.copyOf(requests), Calls.PATIENCE)
        .submit();
  }

  /// Stages of users.
  Cancelling cancel(JobId id, String reason, String by) {
    var reply = ask(id, replyTo -> new Job.Do(new JobCommand.Cancel(reason, by), replyTo));
    return new Cancelling(
        id,
        AnswerStage.of(reply.thenApply(answers::requested)),
        AnswerStage.of(reply.thenCompose(answer -> ended(id, answer))));
  }

  private CompletionStage<CancelReport> ended(JobId id, JobReply reply) {
    return switch (reply) {
      case JobReply.Done(var state) when !state.ended() -> watch(id, Outcomes::report);
      case JobReply over -> CompletableFuture.completedStage(answers.cancelled(id, over));
    };
  }

  CompletionStage<RetryAnswer> retry(JobId id, String by) {
    return ask(id, replyTo -> new Job.Do(new JobCommand.Retry(by), replyTo))
        .handle((reply, failure) -> answers.retried(id, reply, failure));
  }

  /// Fails with a [JobNotKeptException] if there is none and it may have been dropped.
  CompletionStage<Optional<JobInfo>> job(JobId id) {
    return ask(id, Job.Get::new)
        .thenApply(
            reply -> JobNotKeptException.unless(answers.found(reply), id, answers.mayDrop()));
  }

  /// The same for a job that is never dropped: empty if there is none.
  CompletionStage<Optional<JobInfo>> jobIfThere(JobId id) {
    return ask(id, Job.Get::new).thenApply(answers::found);
  }

  /// Fails with a [JobNotFoundException] if there is none.
  CompletionStage<JobInfo> status(JobId id) {
    return job(id).thenApply(found -> found.orElseThrow(() -> new JobNotFoundException(id)));
  }

  /// A stage of a user.
  AnswerStage<Outcome> result(JobId id) {
    return watch(id, Outcomes::of);
  }

  /// A stage of a user.
  AnswerStage<JobInfo> ended(JobId id) {
    return watch(id, answers::info);
  }

  private <T> AnswerStage<T> watch(JobId id, Function<JobState, T> told) {
    return new Watch<>(id, inside, told).start();
  }

  private CompletionStage<JobReply> ask(
      JobId id, Function<ActorRef<JobReply>, Job.Command> message) {
    return inside
        .calls()
        .ask(
            inside.doors().gateway(),
            replyTo -> new Gateway.Route(new ForJob(id, message.apply(replyTo))));
  }
}
