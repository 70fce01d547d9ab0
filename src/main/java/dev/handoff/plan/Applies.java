package dev.handoff.plan;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Writes the changes of plans into directories, on threads of its own: one apply of a plan at a
/// time. Whoever asks for the outcome of one that is under way is told when it is there, also if
/// the plan's actor is not the one any more that has begun it.
public final class Applies extends AbstractMatchingBehavior<Applies.Command> {

  /// Messages accepted by the applies. All of them are local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Begins an apply, which is durable in the plan.
  record Write(PlanState plan, Applying apply, ActorRef<Ended> replyTo) implements Command {}

  /// What became of an apply of which only the plan's ledger knows? Finishes or undoes it.
  record Recover(PlanState plan, Applying apply, ActorRef<Ended> replyTo) implements Command {}

  /// What would be done?
  record Check(PlanState plan, String target, ActorRef<PlanReply> replyTo) implements Command {}

  /// The plan does not want the apply any more. It is undone if it can still be.
  record Stop(PlanId plan, String reason) implements Command {}

  /// How an apply ended.
  record Ended(int number, ApplyOutcome outcome) implements NoSerializationVerificationNeeded {}

  private record Over(PlanId plan, @Nullable ApplyOutcome outcome, @Nullable Throwable failure)
      implements Command {}

  private record Again(PlanId plan) implements Command {}

  private record Checked(Check asked, @Nullable ApplyOutcome outcome, @Nullable Throwable failure)
      implements Command {}

  /// The work itself. Every method blocks, and is called on a thread of its own.
  public interface Work {
    ApplyOutcome check(PlanState plan, String target);

    ApplyOutcome write(PlanState plan, Applying apply, CancellationToken stop);

    /// Finishes or undoes what a dead process has left.
    ApplyOutcome recover(PlanState plan, Applying apply);
  }

  /// An apply under way.
  private record Running(
      PlanState plan, Applying apply, CancellationSource stop, List<ActorRef<Ended>> waiting) {

    Running plus(ActorRef<Ended> one) {
      var all = new ArrayList<>(waiting);
      all.add(one);
      return new Running(plan, apply, stop, all);
    }
  }

  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Work work;
  private final Executor threads;
  private final Map<PlanId, Running> running = new HashMap<>();

  private Applies(ActorContext<Command> context, Work work, Executor threads) {
    super(context);
    this.work = work;
    this.threads = threads;
  }

  /// @param threads which may block
  public static Behavior<Command> create(Work work, Executor threads) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Applies.class);
          return new Applies(context, work, threads);
        });
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case Write write -> onWrite(write);
      case Recover recover -> onRecover(recover);
      case Check check -> onCheck(check);
      case Checked(var asked, var outcome, var failure) -> onChecked(asked, outcome, failure);
      case Stop(var plan, var reason) -> onStop(plan, reason);
      case Over(var plan, var outcome, var failure) -> onOver(plan, outcome, failure);
      case Again(var plan) -> recover(plan);
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof PostStop) {
      running.values().forEach(apply -> stop(apply, "the engine stops"));
    }
    return Behaviors.unhandled();
  }

  private void onWrite(Write write) {
    var plan = write.plan();
    var stop = new CancellationSource();
    running.put(plan.id(), new Running(plan, write.apply(), stop, List.of(write.replyTo())));
    pipe(
        plan.id(),
        CompletableFuture.supplyAsync(
            () -> work.write(plan, write.apply(), stop.token()), threads));
  }

  private void onRecover(Recover recover) {
    var plan = recover.plan();
    var already = running.get(plan.id());
    if (already != null) {
      running.put(plan.id(), already.plus(recover.replyTo()));
      return;
    }
    var stop = new CancellationSource();
    running.put(plan.id(), new Running(plan, recover.apply(), stop, List.of(recover.replyTo())));
    recover(plan.id());
  }

  private void recover(PlanId plan) {
    var one = running.get(plan);
    pipe(plan, CompletableFuture.supplyAsync(() -> work.recover(one.plan(), one.apply()), threads));
  }

  private void pipe(PlanId plan, CompletableFuture<ApplyOutcome> outcome) {
    getContext().pipeToSelf(outcome, (done, failure) -> new Over(plan, done, failure));
  }

  /// What failed in a way that nobody has thought of is looked at like what a dead process has
  /// left, again and again; until it has ended it is under way.
  private void onOver(PlanId plan, @Nullable ApplyOutcome outcome, @Nullable Throwable failure) {
    if (outcome == null) {
      var target = running.get(plan).apply().target();
      getContext().getLog().error("plan [{}]: the apply to {} failed", plan, target, failure);
      getContext().scheduleOnce(PAUSE, getContext().getSelf(), new Again(plan));
      return;
    }
    var over = running.remove(plan);
    var ended = new Ended(over.apply().number(), outcome);
    over.waiting().forEach(waiting -> waiting.tell(ended));
  }

  private void onCheck(Check check) {
    getContext()
        .pipeToSelf(
            CompletableFuture.supplyAsync(() -> work.check(check.plan(), check.target()), threads),
            (outcome, failure) -> new Checked(check, outcome, failure));
  }

  private void onChecked(Check asked, @Nullable ApplyOutcome outcome, @Nullable Throwable failure) {
    var plan = asked.plan().id();
    asked
        .replyTo()
        .tell(
            outcome == null
                ? new PlanReply.Refused(plan, reason(failure))
                : new PlanReply.ApplyEnded(plan, outcome));
  }

  private static String reason(@Nullable Throwable failure) {
    return failure instanceof CompletionException wrapped
        ? reason(wrapped.getCause())
        : String.valueOf(failure == null ? null : failure.getMessage());
  }

  private void onStop(PlanId plan, String reason) {
    var apply = running.get(plan);
    if (apply != null) {
      stop(apply, reason);
    }
  }

  private static void stop(Running apply, String reason) {
    apply.stop().cancel(new Cancellation(Cancellation.Cause.REQUESTED, reason, "handoff"));
  }
}
