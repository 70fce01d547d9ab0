package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.actor.FailedActor;
import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.actor.MemoryReserve;
import dev.handoff.job.JobReply;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.WireMessage;
import java.util.function.Supplier;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// One live plan: what it can be sent, and the ways in which it comes to life. The actor itself is
/// [PlanActor].
public final class Plan {

  /// Messages accepted by a plan.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Do.class, name = "do"),
    @JsonSubTypes.Type(value = Check.class, name = "check"),
    @JsonSubTypes.Type(value = Get.class, name = "get"),
    @JsonSubTypes.Type(value = Watch.class, name = "watch")
  })
  public sealed interface Command {}

  /// What is answered with a reply, in every state: once what follows from it is durable.
  public sealed interface Asked extends Command {
    ActorRef<PlanReply> replyTo();
  }

  /// What only the engine's own actors send, and nobody waits to have answered.
  sealed interface Internal extends Command, NoSerializationVerificationNeeded {}

  /// An order. Answered with [PlanReply.Answered]; an [PlanCommand.Apply] that is begun, with
  /// [PlanReply.ApplyEnded] when it is over.
  public record Do(PlanCommand command, ActorRef<PlanReply> replyTo) implements Asked, WireMessage {
    public Do {
      if (command instanceof PlanCommand.Internal) {
        throw new IllegalArgumentException(command.getClass().getSimpleName() + " is a plan's own");
      }
    }
  }

  /// What would an apply to this directory do? Answered with [PlanReply.ApplyEnded], or with
  /// [PlanReply.Answered] if there is nothing to be done. Writes nothing.
  public record Check(String target, ActorRef<PlanReply> replyTo) implements Asked, WireMessage {}

  /// What is the state? Answered with [PlanReply.Current] at once.
  public record Get(ActorRef<PlanReply> replyTo) implements Asked, WireMessage {}

  /// Answered with [PlanReply.Current] when the plan has ended.
  public record Watch(ActorRef<PlanReply> replyTo) implements Asked, WireMessage {}

  /// The ledger has folded facts into the plan. Comes in the order of the ledger; what was told
  /// before may come again.
  public record Moved(PlanState state) implements Internal {}

  /// The plan's actor has failed too often: it has to end.
  public record GiveUp(String reason) implements Internal {}

  /// Nothing will be sent to this plan any more.
  public enum Retire implements Internal {
    INSTANCE
  }

  record LedgerAnswered(Ledger.Reply reply) implements Internal {}

  /// A job that was told something has answered.
  record JobAnswered(JobReply reply) implements Internal {}

  /// A child plan that was told something has answered.
  record PlanAnswered(PlanReply reply) implements Internal {}

  record BodyKept(String changeset, @Nullable String body, @Nullable Throwable failure)
      implements Internal {}

  record ApplyNews(Applies.News news) implements Internal {}

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

  /// How a plan comes to life: what its actor is told first.
  public sealed interface Start extends Internal {}

  /// It is being submitted.
  public record Submitted(PlanId id, PlanDraft draft, ActorRef<PlanReply> replyTo)
      implements Start {}

  /// It was live before: after a restart, after its actor failed, or born with its parent.
  public record Live(PlanState state) implements Start {}

  /// It is in history, and is to be written to.
  public record Archived(PlanState state) implements Start {}

  /// An actor that becomes the plan that it is told of first.
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
          new PlanSubmission(context, timers, environment, submitted).begin(submitted.draft());
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

  /// An actor for which nobody waits yet.
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

  /// The actor of a plan that is durable.
  static PlanActor live(
      PlanState state,
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      PlanEnvironment environment) {
    return new PlanActor(context, timers, environment, state).begin();
  }

  private Plan() {}
}
