package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.internal.actor.FailedActor;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.plan.PlanId;
import java.util.function.Supplier;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Protocol of one live plan, and the ways to start its actor, [PlanActor].
public final class Plan {

  /// Messages to a plan.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Do.class, name = "do"),
    @JsonSubTypes.Type(value = Check.class, name = "check"),
    @JsonSubTypes.Type(value = Get.class, name = "get"),
    @JsonSubTypes.Type(value = Watch.class, name = "watch")
  })
  public sealed interface Command {}

  /// Messages with a reply. Every state answers them, once the resulting facts are durable.
  public sealed interface Asked extends Command {
    ActorRef<PlanReply> replyTo();
  }

  /// Internal messages between the engine's actors, without replies.
  sealed interface Internal extends Command, NoSerializationVerificationNeeded {}

  /// Sends a command. The reply is [PlanReply.Answered]; a started [PlanCommand.Apply] is answered
  /// with [PlanReply.ApplyEnded] at its end.
  public record Do(PlanCommand command, ActorRef<PlanReply> replyTo) implements Asked, WireMessage {
    public Do {
      if (command instanceof PlanCommand.Internal) {
        throw new IllegalArgumentException(command.getClass().getSimpleName() + " is a plan's own");
      }
    }
  }

  /// Dry run of an apply to a directory; writes nothing. The reply is [PlanReply.ApplyEnded], or
  /// [PlanReply.Answered] if there is nothing to apply.
  public record Check(String target, ActorRef<PlanReply> replyTo) implements Asked, WireMessage {}

  /// Reads the state. The reply is [PlanReply.Current], sent at once.
  public record Get(ActorRef<PlanReply> replyTo) implements Asked, WireMessage {}

  /// Waits for the plan's end; answered with [PlanReply.Current].
  public record Watch(ActorRef<PlanReply> replyTo) implements Asked, WireMessage {}

  /// New state, after the ledger folded facts into the plan. Sent in ledger order; a state may be
  /// sent twice.
  public record Moved(PlanState state) implements Internal {}

  /// Ends a plan whose actor failed too often.
  public record GiveUp(String reason) implements Internal {}

  /// Last message to this plan's actor: stops it.
  public enum Retire implements Internal {
    INSTANCE
  }

  record LedgerAnswered(Ledger.Reply reply) implements Internal {}

  /// Reply of a job to an order.
  record JobAnswered(JobReply reply) implements Internal {}

  /// Reply of a child plan to an order.
  record PlanAnswered(PlanReply reply) implements Internal {}

  record BodyKept(String changeset, @Nullable String body, @Nullable Throwable failure)
      implements Internal {}

  record ApplyNews(ApplyRunner.News news) implements Internal {}

  enum Advance implements Internal {
    INSTANCE
  }

  enum WriteAgain implements Internal {
    INSTANCE
  }

  enum OrdersDue implements Internal {
    INSTANCE
  }

  enum DeadlineDue implements Internal {
    INSTANCE
  }

  /// First message to a plan's actor: decides how the plan comes to life.
  public sealed interface Start extends Internal {}

  /// New plan.
  public record Submitted(PlanId id, PlanDraft draft, ActorRef<PlanReply> replyTo)
      implements Start {}

  /// Live plan after a restart or an actor failure, or new child plan of an accepted plan.
  public record Live(PlanState state) implements Start {}

  /// Archived plan that a command has to change.
  public record Archived(PlanState state) implements Start {}

  /// Initial behavior of a plan's actor: waits for a [Start].
  public static Behavior<Command> unborn(PlanEnvironment environment) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Plan.class);
          return Behaviors.withTimers(
              timers ->
                  Behaviors.receiveMessage(
                      message ->
                          message instanceof Start start
                              ? start(start, context, timers, environment)
                              : Behaviors.unhandled()));
        });
  }

  private static Behavior<Command> start(
      Start start,
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      PlanEnvironment environment) {
    return switch (start) {
      case Submitted submitted ->
          new NewPlan(context, timers, environment, submitted).begin(submitted.draft());
      case Live(var state) ->
          orFail(state.id(), context, environment, () -> live(state, context, timers, environment));
      case Archived(var state) ->
          orFail(
              state.id(),
              context,
              environment,
              () -> new PlanActor(context, timers, environment, state));
    };
  }

  /// Creates an actor without waiting requesters.
  private static Behavior<Command> orFail(
      PlanId id,
      ActorContext<Command> context,
      PlanEnvironment environment,
      Supplier<Behavior<Command>> actor) {
    try {
      return actor.get();
    } catch (Throwable failure) {
      MemoryReserve.giveBackAfter(failure);
      var words = new FailedPlan(id, context.getSelf(), environment, nobody -> {});
      return FailedActor.because(failure, null, words, context);
    }
  }

  /// Actor of a durable plan.
  static PlanActor live(
      PlanState state,
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      PlanEnvironment environment) {
    return new PlanActor(context, timers, environment, state).begin();
  }

  private Plan() {}
}
