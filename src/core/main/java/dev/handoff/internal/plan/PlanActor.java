package dev.handoff.internal.plan;

import dev.handoff.internal.actor.FailedActor;
import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Actor of one plan; carries its [PlanState]. Progress of the steps arrives as states folded by
/// the ledger. Orders to the steps follow from the state alone, so a crash cannot lose a release.
///
/// ```
/// [NewPlan] ──durable──▶ live ──a step moved──▶ Orders are sent ──▶ live
///                               └── all work done ──Ended durable──▶ over: answers until retired
/// history ──recalled for a write──▶ live ──Filed durable──▶ over
/// ```
final class PlanActor extends AbstractMatchingBehavior<Plan.Command> {

  private static final String REPEAT = "repeat";
  private static final String DEADLINE = "deadline";
  private static final Duration LONGEST = Duration.ofHours(1);

  private final PlanEnvironment environment;
  private final TimerScheduler<Plan.Command> timers;
  private final PlanWriteAhead commands;
  private final StepMessenger messenger;
  private final ActorRef<ApplyRunner.News> applied;
  private final JobWatchers<PlanReply> watchers = new JobWatchers<>();
  private final List<ActorRef<PlanReply>> applying = new ArrayList<>();
  private @Nullable ApplyOutcome outcome;
  private boolean advancing;
  private boolean unsettled;
  private @Nullable PlanDeadline deadline;
  private boolean overdue;
  private boolean gone;

  PlanActor(
      ActorContext<Plan.Command> context,
      TimerScheduler<Plan.Command> timers,
      PlanEnvironment environment,
      PlanState state) {
    super(context);
    this.environment = environment;
    this.timers = timers;
    commands = new PlanWriteAhead(context, timers, environment, state, this::committed);
    messenger = new StepMessenger(context, environment);
    applied = context.messageAdapter(ApplyRunner.News.class, Plan.ApplyNews::new);
  }

  /// Resumes a live plan: recovers its apply, then sends orders.
  PlanActor begin() {
    var apply = state().book().applying();
    if (apply != null) {
      environment.helpers().applies().tell(new ApplyRunner.Recover(state(), apply, applied));
    }
    advanceSoon();
    return this;
  }

  @Override
  public Behavior<Plan.Command> onMessage(Plan.Command message) {
    try {
      return handle(message);
    } catch (Throwable failure) {
      return crash(failure, message);
    }
  }

  @Override
  public Behavior<Plan.Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private Behavior<Plan.Command> handle(Plan.Command message) {
    switch (message) {
      case Plan.Do orders when gone -> afterTheEnd(orders);
      case Plan.Do(var command, var replyTo) -> commands.ask(command, new PlanRequester(replyTo));
      case Plan.Get(var replyTo) -> replyTo.tell(new PlanReply.Current(state()));
      case Plan.Watch(var replyTo) -> onWatch(replyTo);
      case Plan.Check(var target, var replyTo) -> onCheck(target, replyTo);
      case Plan.Moved(var next) -> onMoved(next);
      case Plan.LedgerAnswered(var reply) -> commands.onLedger(reply);
      case Plan.BodyKept(var set, var body, var failure) -> commands.onBodyKept(set, body, failure);
      case Plan.WriteAgain again -> commands.onWriteAgain();
      case Plan.ApplyNews(ApplyRunner.Ended ended) -> onApplyOver(ended);
      case Plan.ApplyNews(ApplyRunner.Stuck stuck) -> onApplyStuck(stuck.reason());
      case Plan.JobAnswered(var reply) ->
          messenger.heard(state(), reply).ifPresent(this::askMyself);
      case Plan.PlanAnswered(var reply) ->
          messenger.heard(state(), reply).ifPresent(this::askMyself);
      case Plan.Advance now -> advance();
      case Plan.GiveUp(var reason) -> askMyself(new PlanCommand.GiveUp(reason));
      case Plan.OrdersDue due -> tellAgain();
      case Plan.DeadlineDue due -> onDeadline();
      case Plan.Start again -> {}
      case Plan.Retire now -> {
        return Behaviors.stopped();
      }
    }
    settleLater();
    departIfOver();
    return this;
  }

  private void departIfOver() {
    if (!gone && state().ended() && commands.isIdle()) {
      gone = true;
      timers.cancelAll();
      environment.partition().tell(new PlanNotice.Gone(id(), self()));
    }
  }

  private void onMoved(PlanState next) {
    commands.see(next);
    advanceSoon();
  }

  /// Schedules one `Advance`, however many steps have moved.
  private void advanceSoon() {
    if (!advancing) {
      advancing = true;
      self().tell(Plan.Advance.INSTANCE);
    }
  }

  private void advance() {
    advancing = false;
    if (gone) {
      return;
    }
    messenger.tell(state());
    if (messenger.isOpen(state()) && !timers.isTimerActive(REPEAT)) {
      timers.startSingleTimer(REPEAT, Plan.OrdersDue.INSTANCE, environment.settings().repeat());
    }
    watchTheTime();
    if (commands.isIdle()) {
      settle();
    } else {
      unsettled = true;
    }
  }

  /// Repeats a postponed settle: the commands in flight may have produced no fact.
  private void settleLater() {
    if (unsettled && commands.isIdle()) {
      unsettled = false;
      advanceSoon();
    }
  }

  private void settle() {
    if (!state().decide(new PlanCommand.Settle(), environment.now()).facts().isEmpty()) {
      askMyself(new PlanCommand.Settle());
    }
  }

  private void askMyself(PlanCommand command) {
    commands.ask(command, PlanRequester.NOBODY);
  }

  private void tellAgain() {
    messenger.tellAgain(state());
    advanceSoon();
  }

  private void watchTheTime() {
    if (timers.isTimerActive(DEADLINE)
        || state().spec().deadline() == null
        || !(state().phase() instanceof PlanPhase.Running(var since))) {
      return;
    }
    if (deadline == null || !deadline.since().equals(since)) {
      var whole = state().spec().deadline();
      deadline = PlanDeadline.of(since, whole, environment.now(), nanoTime());
    }
    var left = bounded(deadline.left(nanoTime()));
    // Stop requested but not durable yet: check again after a pause.
    var wait = overdue && left.isZero() ? environment.settings().repeat() : left;
    timers.startSingleTimer(DEADLINE, Plan.DeadlineDue.INSTANCE, wait);
  }

  /// Caps a delay: actor timers cannot run for more than some months.
  private static Duration bounded(Duration left) {
    return left.compareTo(LONGEST) > 0 ? LONGEST : left;
  }

  /// Handles the deadline timer, which may fire early because its delay is capped.
  private void onDeadline() {
    if (deadline != null && deadline.left(nanoTime()).isZero()) {
      overdue = true;
      askMyself(new PlanCommand.DeadlinePassed(deadline.since()));
    }
    advanceSoon();
  }

  private long nanoTime() {
    return environment.time().nanoTime().getAsLong();
  }

  private void committed(CommandGroup written) {
    for (var one : written.decided()) {
      for (var fact : one.decision().facts()) {
        follow(fact, one.waiting().requester());
      }
    }
    advanceSoon();
  }

  /// Starts the side effects of a durable fact.
  private void follow(PlanFact fact, PlanRequester requester) {
    switch (fact) {
      case PlanFact.ApplyStarted(var apply) -> begin(apply, requester);
      case PlanFact.ApplyWritten written -> tellApplied();
      case PlanFact.ApplyUndone undone -> tellApplied();
      case PlanFact.StopRequested(var stop) ->
          environment.helpers().applies().tell(new ApplyRunner.Stop(id(), stop.reason()));
      case PlanFact.Ended over -> watchers.tell(new PlanReply.Current(state()));
      case PlanFact.Reopened again -> reopened();
      case PlanFact.Submitted silent -> {}
      case PlanFact.Released silent -> {}
      case PlanFact.OfStep silent -> {}
      case PlanFact.OfHistory silent -> {}
      case PlanFact.OfChanges silent -> {}
    }
  }

  private void reopened() {
    messenger.forget();
    overdue = false;
    timers.cancel(DEADLINE);
  }

  private void begin(StartedApply apply, PlanRequester requester) {
    if (!requester.isNobody()) {
      applying.add(requester.replyTo());
    }
    environment.helpers().applies().tell(new ApplyRunner.Write(state(), apply, applied));
  }

  private void onApplyOver(ApplyRunner.Ended ended) {
    int number = ended.number();
    var begun = state().book().applying();
    if (outcome != null || begun == null || begun.number() != number) {
      return;
    }
    outcome = ended.outcome();
    askMyself(
        switch (ended.outcome()) {
          case ApplyOutcome.Written(var target, var files) ->
              new PlanCommand.ApplyWritten(number, files.size());
          case ApplyOutcome.Already(var target, var apply) when apply == null ->
              new PlanCommand.ApplyWritten(number, 0);
          case ApplyOutcome.Already there ->
              new PlanCommand.ApplyUndone(number, "everything was there already");
          case ApplyOutcome.Conflicted conflicted ->
              new PlanCommand.ApplyUndone(number, "something was in the way");
          case ApplyOutcome.Undone(var target, var reason, boolean isAsBefore) ->
              new PlanCommand.ApplyUndone(number, reason);
        });
  }

  /// Tells requesters about a stuck apply: waiting alone does not help. The apply stays under way.
  private void onApplyStuck(String reason) {
    var why =
        "the apply can neither be finished nor undone: %s; it is tried again and again, until that"
            + " is mended";
    var reply = new PlanReply.Unavailable(id(), why.formatted(reason), environment.retryAfter());
    applying.forEach(waiting -> waiting.tell(reply));
    applying.clear();
  }

  private void tellApplied() {
    if (outcome != null) {
      var reply = new PlanReply.ApplyEnded(id(), outcome);
      applying.forEach(waiting -> waiting.tell(reply));
      applying.clear();
      outcome = null;
    }
  }

  private void onCheck(String target, ActorRef<PlanReply> replyTo) {
    var decision = state().decide(new PlanCommand.Apply(target), environment.now());
    if (decision.facts().isEmpty()) {
      replyTo.tell(new PlanReply.Answered(id(), decision.answer()));
    } else {
      environment.helpers().applies().tell(new ApplyRunner.Check(state(), target, replyTo));
    }
  }

  private void onWatch(ActorRef<PlanReply> replyTo) {
    if (state().isOver()) {
      replyTo.tell(new PlanReply.Current(state()));
    } else {
      watchers.add(replyTo, environment.now()).ifPresent(this::turnAway);
    }
  }

  private void turnAway(ActorRef<PlanReply> oldest) {
    var reason = "too many wait for plan " + id();
    oldest.tell(new PlanReply.Unavailable(id(), reason, environment.retryAfter()));
  }

  private Behavior<Plan.Command> crash(Throwable failure, Plan.Command failedAt) {
    MemoryReserve.giveBackAfter(failure);
    var words = new FailedPlan(id(), self(), environment, reply -> tellWaiting(reply, failedAt));
    return FailedActor.because(failure, null, words, getContext());
  }

  /// Tells all waiting requesters about a failure, including the sender of the failed message.
  private void tellWaiting(PlanReply.Unavailable reply, Plan.Command failedAt) {
    var waiting = commands.waiting();
    waiting.forEach(requester -> requester.tell(reply));
    if (failedAt instanceof Plan.Asked asked
        && !waiting.contains(new PlanRequester(asked.replyTo()))) {
      asked.replyTo().tell(reply);
    }
    applying.forEach(requester -> requester.tell(reply));
    watchers.tell(reply);
  }

  /// Answers a command of an ended plan. Commands with facts go back to the partition, which
  /// already knows that this actor is gone.
  private void afterTheEnd(Plan.Do message) {
    var decision = state().decide(message.command(), environment.now());
    if (decision.facts().isEmpty()) {
      message.replyTo().tell(new PlanReply.Answered(id(), decision.answer()));
    } else {
      environment.partition().tell(new PlanNotice.ToPlan(new PlanEnvelope(id(), message)));
    }
  }

  private PlanState state() {
    return commands.state();
  }

  private PlanId id() {
    return state().id();
  }

  private ActorRef<Plan.Command> self() {
    return getContext().getSelf();
  }
}
