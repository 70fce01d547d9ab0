package dev.handoff.internal.plan;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

/// Actor that writes the changes of plans into directories, on blocking threads. At most one apply
/// runs per plan and per directory. A requester gets the outcome of a running apply even if another
/// actor of the plan started it.
public final class ApplyRunner extends AbstractMatchingBehavior<ApplyRunner.Command> {

  /// Commands to the apply runner, local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Starts an apply whose start is already durable.
  record Write(PlanState plan, StartedApply apply, ActorRef<News> replyTo) implements Command {}

  /// Finishes or undoes the apply of a dead process; only the plan's ledger knows of such an apply.
  record Recover(PlanState plan, StartedApply apply, ActorRef<News> replyTo) implements Command {}

  /// Dry run: reports the outcome of an apply without writing.
  record Check(PlanState plan, String target, ActorRef<PlanReply> replyTo) implements Command {}

  /// Cancels an apply of the plan, unless it has passed its commit point.
  record Stop(PlanId plan, String reason) implements Command {}

  /// Report about a running apply.
  sealed interface News extends NoSerializationVerificationNeeded {}

  /// Final outcome of an apply.
  record Ended(int number, ApplyOutcome outcome) implements News {}

  /// Stuck apply, neither finished nor undone. It stays under way and is retried.
  record Stuck(int number, String reason) implements News {}

  private record Over(PlanId plan, @Nullable ApplyOutcome outcome, @Nullable Throwable failure)
      implements Command {}

  private record Again(PlanId plan) implements Command {}

  private record Checked(Check asked, @Nullable ApplyOutcome outcome, @Nullable Throwable failure)
      implements Command {}

  /// File operations of an apply. Every method blocks and runs on a blocking thread.
  public interface Work {
    ApplyOutcome check(PlanState plan, String target);

    ApplyOutcome write(PlanState plan, StartedApply apply, CancellationToken stop);

    /// Finishes or undoes the apply of a dead process.
    ApplyOutcome recover(PlanState plan, StartedApply apply);
  }

  /// Apply under way.
  ///
  /// @param recovers whether the next try has to recover the apply, because an earlier try left it
  private record Running(
      PlanState plan,
      StartedApply apply,
      boolean recovers,
      CancellationSource stop,
      List<ActorRef<News>> waiting) {

    static Running of(
        PlanState plan, StartedApply apply, boolean recovers, ActorRef<News> waiting) {
      return new Running(plan, apply, recovers, new CancellationSource(), List.of(waiting));
    }

    Running plus(ActorRef<News> one) {
      var all = new ArrayList<>(waiting);
      all.add(one);
      return new Running(plan, apply, recovers, stop, all);
    }

    /// State after an unexpected failure: the next try recovers the apply, as after a process
    /// death.
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

  /// Plans per directory, in FIFO order; the first of each queue is running.
  private final Map<String, Deque<PlanId>> targets = new HashMap<>();

  private ApplyRunner(ActorContext<Command> context, Work work, Executor threads) {
    super(context);
    this.work = work;
    this.threads = threads;
  }

  /// @param threads executor for blocking work
  public static Behavior<Command> create(Work work, Executor threads) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(ApplyRunner.class);
          return new ApplyRunner(context, work, threads);
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

  /// Handles the end of one try. A failed apply stays under way and is retried after a pause; other
  /// plans use the directory meanwhile.
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
    return String.valueOf(failure == null ? null : StageFailures.cause(failure).getMessage());
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
