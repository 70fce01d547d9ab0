package dev.handoff.internal.job;

import dev.handoff.JobId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Requester of a command: receives the outcome as the reply type of its kind.
sealed interface Requester {

  /// Reports the verdict, after the command's facts are durable.
  void decided(CommandVerdict verdict, JobState state);

  /// Reports a permanent refusal: nothing is written.
  void refused(JobState state, String reason);

  /// Reports a temporary refusal: nothing was written, a later try may succeed.
  void unavailable(JobState state, String reason, Duration retryAfter);

  /// Reports an unknown outcome: the facts may become durable.
  default void unknown(JobState state, String reason, Duration retryAfter) {
    unavailable(state, reason, retryAfter);
  }

  record Submitter(ActorRef<SubmitReply> replyTo) implements Requester {
    @Override
    public void decided(CommandVerdict verdict, JobState state) {
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

  /// Caller of a command; its reply carries the state.
  record Caller(InstantSource clock, ActorRef<JobReply> replyTo) implements Requester {
    @Override
    public void decided(CommandVerdict verdict, JobState state) {
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

  /// Worker of an attempt; its reply only says whether the report counts.
  record Worker(int attempt, ActorRef<ReportReply> replyTo) implements Requester {
    @Override
    public void decided(CommandVerdict verdict, JobState state) {
      replyTo.tell(
          switch (verdict) {
            case DONE -> new ReportReply.Recorded(state.id(), attempt);
            case ALREADY_FINISHED,
                DECLINED,
                FENCED,
                STEP_OF_A_PLAN,
                BEING_CANCELLED,
                KEY_CONFLICT,
                TOO_MANY_CHILDREN ->
                new ReportReply.Fenced(state.id(), attempt, state.attempt());
          });
    }

    @Override
    public void refused(JobState state, String reason) {
      replyTo.tell(new ReportReply.NotRecorded(state.id(), attempt, reason));
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new ReportReply.Unavailable(state.id(), reason, retryAfter));
    }
  }

  /// Attempt that submits a child.
  ///
  /// @param known child that an attempt submitted before under the same key; null = none
  record Parent(NewChild newChild, @Nullable JobId known, ActorRef<ChildReply> replyTo)
      implements Requester {
    @Override
    public void decided(CommandVerdict verdict, JobState state) {
      replyTo.tell(
          verdict == CommandVerdict.DONE
              ? new ChildReply.Accepted(
                  state.id(), known == null ? newChild.id() : known, known != null)
              : new ChildReply.Declined(
                  state.id(), verdict, known == null ? List.of() : List.of(known)));
    }

    @Override
    public void refused(JobState state, String reason) {
      replyTo.tell(new ChildReply.Refused(state.id(), reason));
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      replyTo.tell(new ChildReply.Unavailable(state.id(), reason, retryAfter));
    }
  }

  /// Dispatcher that offered a worker. A job that takes the credit says so when it starts the
  /// attempt. A job that declines and still wants a worker sends `Ready` again.
  record Offer(WorkerCredit credit, JobEnvironment environment, ActorRef<Job.Command> self)
      implements Requester {
    @Override
    public void decided(CommandVerdict verdict, JobState state) {
      if (verdict != CommandVerdict.DONE) {
        JobMessages.declined(state, credit, environment);
        JobMessages.ready(state, environment, self);
      }
    }

    @Override
    public void refused(JobState state, String reason) {
      unavailable(state, reason, environment.settings().repeat());
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      JobMessages.declined(state, credit, environment);
      JobMessages.readyAfter(retryAfter, state, environment, self);
    }

    /// The claim may be durable, so the worker is not given back: the job's next actor reports the
    /// claim to the dispatcher.
    @Override
    public void unknown(JobState state, String reason, Duration retryAfter) {}
  }

  /// Requester whose command made the job ready, together with the dispatcher's worker that was at
  /// hand. If the append fails, the job declines the credit and reports no `Ready`: the job may not
  /// exist.
  record WithClaim(Requester first, Offer offer) implements Requester {
    @Override
    public void decided(CommandVerdict verdict, JobState state) {
      first.decided(verdict, state);
    }

    @Override
    public void refused(JobState state, String reason) {
      first.refused(state, reason);
      JobMessages.declined(state, offer.credit(), offer.environment());
    }

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {
      first.unavailable(state, reason, retryAfter);
      JobMessages.declined(state, offer.credit(), offer.environment());
    }

    @Override
    public void unknown(JobState state, String reason, Duration retryAfter) {
      first.unknown(state, reason, retryAfter);
      offer.unknown(state, reason, retryAfter);
    }
  }

  /// No requester: the engine itself sent the command.
  enum Nobody implements Requester {
    INSTANCE;

    @Override
    public void decided(CommandVerdict verdict, JobState state) {}

    @Override
    public void refused(JobState state, String reason) {}

    @Override
    public void unavailable(JobState state, String reason, Duration retryAfter) {}
  }
}
