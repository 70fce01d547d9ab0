package dev.handoff.job;

import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// A job that was asked to stop, on its way there: its worker is told until the attempt's end is
/// reported, and a cancel goes on to its children. Belongs to the job's actor, and is made when it
/// is first needed.
final class Ending {

  private final ActorContext<Job.Command> context;
  private final JobEnvironment environment;
  private @Nullable Cascade cascade;
  private long since;
  private boolean repeating;

  Ending(ActorContext<Job.Command> context, JobEnvironment environment) {
    this.context = context;
    this.environment = environment;
  }

  /// Sends the order to stop, which has just been decided, and again until there is nothing left to
  /// stop.
  void stop(JobState state, @Nullable Credit credit) {
    since = System.nanoTime();
    stopAgain(state, credit);
  }

  /// Sends the order to stop once more.
  void stopAgain(JobState state, @Nullable Credit credit) {
    Outbox.stop(state, credit, elapsed(), context.getSelf());
    if (!repeating) {
      repeating = true;
      schedule(environment.settings().repeat(), Job.StopUnanswered.INSTANCE);
    }
  }

  /// Stops the attempt, and cancels the children.
  void stopAll(JobState state, @Nullable Credit credit, Phase.CancelRequest request) {
    stop(state, credit);
    if (!state.trail().children().isEmpty()) {
      var answers = context.messageAdapter(JobReply.class, Job.ChildAnswered::new);
      cascade = new Cascade(environment, answers, state, request);
      cascade.tell();
      var settings = environment.settings();
      schedule(settings.abandon().plus(settings.report()), Job.ReportDue.INSTANCE);
    }
  }

  void hear(Job.StopNews news, JobState state, @Nullable Credit credit) {
    switch (news) {
      case Job.StopUnanswered again -> repeat(state, credit);
      case Job.ChildAnswered(var reply) when cascade != null -> cascade.answered(reply);
      case Job.ReportDue now when cascade != null -> cascade.giveUp();
      case Job.ChildAnswered late -> {}
      case Job.ReportDue late -> {}
    }
  }

  /// What ends a cancelled parent, once neither its own attempt nor a child is left to wait for.
  Optional<JobCommand> conclusion(JobState state) {
    boolean isDue =
        cascade != null && cascade.isSettled() && isStopping(state) && state.underway().isEmpty();
    return isDue
        ? Optional.of(new JobCommand.SettleChildren(cascade.unanswered()))
        : Optional.empty();
  }

  private void repeat(JobState state, @Nullable Credit credit) {
    repeating = false;
    if (isStopping(state)) {
      stopAgain(state, credit);
      if (cascade != null) {
        cascade.tell();
      }
    }
  }

  /// How long ago the stop was decided, whatever became of the clock since.
  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private static boolean isStopping(JobState state) {
    return state.phase() instanceof Phase.Stopping;
  }

  private void schedule(Duration delay, Job.Command message) {
    context.scheduleOnce(delay, context.getSelf(), message);
  }
}
