package dev.handoff.plan;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
/// time, and one to a directory. Whoever asks for the outcome of one that is under way is told when
/// it is there, also if the plan's actor is not the one any more that has begun it.
public final class Applies extends AbstractMatchingBehavior<Applies.Command> {

  /// Messages accepted by the applies. All of them are local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Begins an apply, which is durable in the plan.
  record Write(PlanState plan, Applying apply, ActorRef<News> replyTo) implements Command {}

  /// What became of an apply of which only the plan's ledger knows? Finishes or undoes it.
  record Recover(PlanState plan, Applying apply, ActorRef<News> replyTo) implements Command {}

  /// What would be done?
  record Check(PlanState plan, String target, ActorRef<PlanReply> replyTo) implements Command {}

  /// The plan does not want the apply any more. It is undone if it can still be.
  record Stop(PlanId plan, String reason) implements Command {}

  /// What is told of an apply.
  sealed interface News extends NoSerializationVerificationNeeded {}

  /// How it ended.
  record Ended(int number, ApplyOutcome outcome) implements News {}

  /// It could neither be finished nor undone. That is tried again, and it is under way until then.
  record Stuck(int number, String reason) implements News {}

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
  ///
  /// @param recovers whether it is an earlier one, of which only the ledger knows
  private record Running(
      PlanState plan,
      Applying apply,
      boolean recovers,
      CancellationSource stop,
      List<ActorRef<News>> waiting) {

    static Running of(PlanState plan, Applying apply, boolean recovers, ActorRef<News> waiting) {
      return new Running(plan, apply, recovers, new CancellationSource(), List.of(waiting));
    }

    Running plus(ActorRef<News> one) {
      var all = new ArrayList<>(waiting);
      all.add(one);
      return new Running(plan, apply, recovers, stop, all);
    }

    /// What failed in a way that nobody has thought of is looked at like what a dead process has
    /// left.
    Running failed() {
      return new Running(plan, apply, true, stop, waiting);
    }

    PlanId id() {
      return plan.id();
    }

    void tell(News news) {
      waiting.forEach(one -> one.tell(news));
    }
  }

  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Work work;
  private final Executor threads;
  private final Map<PlanId, Running> running = new HashMap<>();

  /// The plans whose turn it is, and those that wait for it, by directory.
  private final Map<String, Deque<PlanId>> targets = new HashMap<>();

  private Applies(ActorContext<Command> context, Work work, Executor threads) {
    super(context);
    this.work = work;
    this.threads = threads;
  }

  /// @param threads which may block
  public static Behavior<Command> create(Work work, Executor threads) {
    return FatalErrorGuard.setup(
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
      case Again(var plan) -> queue(running.get(plan));
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
    begin(Running.of(write.plan(), write.apply(), false, write.replyTo()));
  }

  private void onRecover(Recover recover) {
    var already = running.get(recover.plan().id());
    if (already == null) {
      begin(Running.of(recover.plan(), recover.apply(), true, recover.replyTo()));
    } else {
      running.put(already.id(), already.plus(recover.replyTo()));
    }
  }

  private void begin(Running apply) {
    running.put(apply.id(), apply);
    queue(apply);
  }

  private void queue(Running apply) {
    var turns = targets.computeIfAbsent(apply.apply().target(), none -> new ArrayDeque<>());
    turns.add(apply.id());
    if (turns.size() == 1) {
      work(apply);
    }
  }

  private void work(Running one) {
    var outcome =
        CompletableFuture.supplyAsync(
            () ->
                one.recovers()
                    ? work.recover(one.plan(), one.apply())
                    : work.write(one.plan(), one.apply(), one.stop().token()),
            threads);
    getContext().pipeToSelf(outcome, (done, failure) -> new Over(one.id(), done, failure));
  }

  /// Until it has ended it is under way, and is looked at again and again; others have their turn
  /// meanwhile.
  private void onOver(PlanId plan, @Nullable ApplyOutcome outcome, @Nullable Throwable failure) {
    var over = running.get(plan);
    int number = over.apply().number();
    var target = over.apply().target();
    next(target);
    if (outcome == null) {
      getContext().getLog().error("plan [{}]: the apply to {} failed", plan, target, failure);
      if (over.recovers()) {
        over.tell(new Stuck(number, reason(failure)));
      }
      running.put(plan, over.failed());
      getContext().scheduleOnce(PAUSE, getContext().getSelf(), new Again(plan));
      return;
    }
    running.remove(plan);
    over.tell(new Ended(number, outcome));
  }

  private void next(String target) {
    var turns = targets.get(target);
    turns.remove();
    if (turns.isEmpty()) {
      targets.remove(target);
    } else {
      work(running.get(turns.peek()));
    }
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
