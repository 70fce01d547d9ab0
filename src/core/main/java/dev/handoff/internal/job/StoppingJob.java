package dev.handoff.internal.job;

import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Stop of a job in progress. The job repeats its stop order until the worker reports the attempt's
/// end; a cancel also reaches the children. Belongs to the job's actor, created on demand.
final class StoppingJob {

  private final ActorContext<Job.Command> context;
  private final JobEnvironment environment;
  private @Nullable ChildCancellation cancellation;
  private long since;
  private boolean repeating;

  StoppingJob(ActorContext<Job.Command> context, JobEnvironment environment) {
    this.context = context;
    this.environment = environment;
  }

  /// Sends a new stop, and repeats it while the job is stopping.
  void stop(JobState state, @Nullable WorkerCredit credit) {
    since = System.nanoTime();
    stopAgain(state, credit);
  }

  /// Sends the stop once more.
  void stopAgain(JobState state, @Nullable WorkerCredit credit) {
    JobMessages.stop(state, credit, elapsed(), context.getSelf());
    if (!repeating) {
      repeating = true;
      schedule(environment.settings().repeat(), Job.StopUnanswered.INSTANCE);
    }
  }

  /// Stops the attempt and cancels the children.
  void stopAll(JobState state, @Nullable WorkerCredit credit, JobPhase.CancelRequest request) {
    stop(state, credit);
    if (!state.trail().children().isEmpty()) {
      var answers = context.messageAdapter(JobReply.class, Job.ChildAnswered::new);
      var ends = context.messageAdapter(WatchReply.class, Job.ChildEnded::new);
      cancellation = new ChildCancellation(environment, answers, ends, state, request);
      cancellation.tell();
      var settings = environment.settings();
      schedule(settings.abandon().plus(settings.report()), Job.ReportDue.INSTANCE);
    }
  }

  void hear(Job.StopNews news, JobState state, @Nullable WorkerCredit credit) {
    switch (news) {
      case Job.StopUnanswered again -> repeat(state, credit);
      case Job.ChildAnswered(var reply) when cancellation != null -> cancellation.answered(reply);
      case Job.ChildEnded(var reply) when cancellation != null -> cancellation.ended(reply);
      case Job.ReportDue now when cancellation != null -> cancellation.giveUp();
      case Job.ChildAnswered late -> {}
      case Job.ChildEnded late -> {}
      case Job.ReportDue late -> {}
    }
  }

  /// Returns the command that ends a cancelled parent: once its attempt has ended, and all children
  /// have ended or the wait for their reports is over.
  Optional<JobCommand> conclusion(JobState state) {
    boolean isDue =
        cancellation != null
            && cancellation.isSettled()
            && isStopping(state)
            && state.underway().isEmpty();
    return isDue
        ? Optional.of(new JobCommand.SettleChildren(cancellation.unanswered()))
        : Optional.empty();
  }

  private void repeat(JobState state, @Nullable WorkerCredit credit) {
    repeating = false;
    if (isStopping(state)) {
      stopAgain(state, credit);
      if (cancellation != null) {
        cancellation.tell();
      }
    }
  }

  /// Time since the stop was decided, independent of clock changes.
  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private static boolean isStopping(JobState state) {
    return state.phase() instanceof JobPhase.Stopping;
  }

  private void schedule(Duration delay, Job.Command message) {
    context.scheduleOnce(delay, context.getSelf(), message);
  }
}
