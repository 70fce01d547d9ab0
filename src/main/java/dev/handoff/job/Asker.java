package dev.handoff.job;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Who waits for the fate of a command, and in which words it is told.
sealed interface Asker {

  /// What the command led to; its facts are durable, if it had any.
  void decided(Verdict verdict, JobState state);

  /// Nothing was written, and nothing will be.
  void refused(JobState state, String reason);

  /// Nothing was written; later it may be.
  void unavailable(JobState state, String reason, Duration retryAfter);

  /// Whether it will be durable is not known.
  default void unknown(JobState state, String reason, Duration retryAfter) {
    unavailable(state, reason, retryAfter);
  }

  /// A submission.
  record Submitter(ActorRef<SubmitReply> replyTo) implements Asker {
    @Override
    public void decided(Verdict verdict, JobState state) {
      replyTo.tell(new SubmitReply.Accepted(state.id()));
    }

    @Override
    public void refused(JobState state, String reason) {
      replyTo.tell(new SubmitReply.Refused(reason));
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new SubmitReply.Unavailable(reason, retryAfter));
    }

    @Override
    public void unknown(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new SubmitReply.Unknown(reason, retryAfter));
    }
  }

  /// A caller, who wants to know the state.
  record Caller(InstantSource clock, ActorRef<JobReply> replyTo) implements Asker {
    @Override
    public void decided(Verdict verdict, JobState state) {
      replyTo.tell(
          switch (verdict) {
            case DONE -> new JobReply.Done(state);
            case ALREADY_FINISHED -> new JobReply.AlreadyFinished(state);
            case STEP_OF_A_PLAN ->
                new JobReply.Declined(
                    state,
                    "it is a step of plan %s: retry the plan".formatted(state.spec().plan()));
            case DECLINED, FENCED, BEING_CANCELLED, KEY_CONFLICT, TOO_MANY_CHILDREN ->
                new JobReply.Declined(
                    state,
                    "not possible while the job is " + state.status(clock.instant()).label());
          });
    }

    @Override
    public void refused(JobState state, String reason) {
      replyTo.tell(new JobReply.Refused(state.id(), reason));
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new JobReply.Unavailable(state.id(), reason, retryAfter));
    }
  }

  /// The worker of an attempt, who only wants to know whether it counts.
  record Worker(int attempt, ActorRef<JobReply> replyTo) implements Asker {
    @Override
    public void decided(Verdict verdict, JobState state) {
      replyTo.tell(
          switch (verdict) {
            case DONE -> new JobReply.Recorded(state.id(), attempt);
            case ALREADY_FINISHED,
                DECLINED,
                FENCED,
                STEP_OF_A_PLAN,
                BEING_CANCELLED,
                KEY_CONFLICT,
                TOO_MANY_CHILDREN ->
                new JobReply.Fenced(state.id(), attempt, state.attempt());
          });
    }

    @Override
    public void refused(JobState state, String reason) {
      replyTo.tell(new JobReply.NotRecorded(state.id(), attempt, reason));
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new JobReply.Unavailable(state.id(), reason, retryAfter));
    }
  }

  /// An attempt that submits a child.
  ///
  /// @param known the child that it had submitted before under the same key; null = none
  record Parent(Birth birth, @Nullable JobId known, ActorRef<JobReply> replyTo) implements Asker {
    @Override
    public void decided(Verdict verdict, JobState state) {
      replyTo.tell(
          verdict == Verdict.DONE
              ? new JobReply.ChildAccepted(
                  state.id(), known == null ? birth.id() : known, known != null)
              : new JobReply.ChildRefused(
                  state.id(), verdict, known == null ? List.of() : List.of(known)));
    }

    @Override
    public void refused(JobState state, String reason) {
      replyTo.tell(new JobReply.Refused(state.id(), reason));
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new JobReply.Unavailable(state.id(), reason, retryAfter));
    }
  }

  /// A dispatcher, whose worker is taken or declined. What is declined while it is wanted is asked
  /// for again.
  record Offer(Credit credit, JobEnvironment environment, ActorRef<Job.Command> self)
      implements Asker {
    @Override
    public void decided(Verdict verdict, JobState state) {
      if (verdict == Verdict.DONE) {
        Outbox.taken(state, credit, environment, self);
        Outbox.run(state, credit, self);
      } else {
        Outbox.declined(state, credit, environment);
        Outbox.ready(state, environment, self);
      }
    }

    @Override
    public void refused(JobState state, String reason) {
      unavailable(state, reason, environment.settings().repeat());
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      Outbox.declined(state, credit, environment);
      Outbox.readyAfter(retryAfter, state, environment, self);
    }

    /// The claim may be durable, so its worker is not given back: the dispatcher finds it with the
    /// job.
    @Override
    public void unknown(JobState state, String reason, Duration retryAfter) {}
  }

  /// Somebody whose command has made the job ready, and the dispatcher whose worker was at hand.
  /// What is not written is declined, and never asked for: the job may not exist.
  record WithClaim(Asker first, Offer offer) implements Asker {
    @Override
    public void decided(Verdict verdict, JobState state) {
      first.decided(verdict, state);
      offer.decided(Verdict.DONE, state);
    }

    @Override
    public void refused(JobState state, String reason) {
      first.refused(state, reason);
      Outbox.declined(state, offer.credit(), offer.environment());
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      first.unavailable(state, reason, retryAfter);
      Outbox.declined(state, offer.credit(), offer.environment());
    }

    @Override
    public void unknown(JobState state, String reason, Duration retryAfter) {
      first.unknown(state, reason, retryAfter);
      offer.unknown(state, reason, retryAfter);
    }
  }

  /// Nobody: the engine told the job something of its own accord.
  enum Nobody implements Asker {
    INSTANCE;

    @Override
    public void decided(Verdict verdict, JobState state) {}

    @Override
    public void refused(JobState state, String reason) {}

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {}
  }

  /// The right one for a command.
  static Asker of(JobCommand command, ActorRef<JobReply> replyTo, InstantSource clock) {
    return switch (command) {
      case JobCommand.OfAttempt about -> new Worker(about.attempt(), replyTo);
      case JobCommand.Release release -> new Caller(clock, replyTo);
      case JobCommand.Cancel cancel -> new Caller(clock, replyTo);
      case JobCommand.Retry retry -> new Caller(clock, replyTo);
      case JobCommand.GiveUp crashed -> new Caller(clock, replyTo);
      case JobCommand.Internal own -> Nobody.INSTANCE;
    };
  }
}
