package dev.handoff.plan;

import dev.handoff.actor.FailedActor;
import dev.handoff.actor.MemoryReserve;
import dev.handoff.ledger.Fact;
import dev.handoff.ledger.Ledger;
import dev.handoff.store.HistoryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// A plan's way of dealing with its ledger: at most one append is under way, and all commands that
/// arrive meanwhile are decided together and become the next one. Nothing follows from facts before
/// they are durable.
///
/// ```
/// idle ──commands──▶ writing ──Committed────▶ idle, and what waited is decided
///   │                   ├──────Refused──────▶ each of them alone, so that only the bad one is refused
///   │                   └──────Unavailable──▶ idle; what the plan asked itself is tried again later
///   └──Close──▶ storing the body, beside everything else ──▶ the commit is the next command
/// ```
abstract class PlanWriting extends AbstractMatchingBehavior<Plan.Command> {

  private static final String AGAIN = "write-again";

  final PlanEnvironment environment;
  final TimerScheduler<Plan.Command> timers;
  private final Lineup lineup = new Lineup();
  private PlanState state;
  private @Nullable Group writing;

  PlanWriting(
      ActorContext<Plan.Command> context,
      TimerScheduler<Plan.Command> timers,
      PlanEnvironment environment,
      PlanState state) {
    super(context);
    this.timers = timers;
    this.environment = environment;
    this.state = state;
  }

  /// Handles a message now.
  abstract Behavior<Plan.Command> handle(Plan.Command message);

  /// Facts are durable.
  abstract void committed(Group written);

  /// The actor has failed: whoever waits for more than one reply of it is told.
  abstract void abandon(PlanReply.Unavailable reply);

  @Override
  public final Behavior<Plan.Command> onMessage(Plan.Command message) {
    try {
      return handle(message);
    } catch (Throwable failure) {
      return crash(failure, message);
    }
  }

  @Override
  public final Behavior<Plan.Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  final PlanState state() {
    return state;
  }

  final PlanId id() {
    return state.id();
  }

  final ActorRef<Plan.Command> self() {
    return getContext().getSelf();
  }

  /// Takes a state that the ledger tells of, unless it is known already.
  final void see(@Nullable PlanState told) {
    if (told != null && told.version() > state.version()) {
      state = told;
    }
  }

  final boolean isIdle() {
    return writing == null && lineup.isEmpty();
  }

  /// Has a command decided, with the others that wait.
  final void ask(PlanCommand command, Asker asker) {
    if (lineup.size() >= environment.settings().waiting() && !asker.isNobody()) {
      asker.unavailable(id(), "too many commands wait for plan " + id(), environment.retryAfter());
      return;
    }
    lineup.add(command, asker);
    next();
  }

  /// Decides what waits, as far as it can be decided now.
  private void next() {
    boolean more = true;
    while (writing == null && more) {
      more = decide();
    }
  }

  /// Answers whether anything was taken from what waits.
  private boolean decide() {
    var group = new Group(state);
    writing = group;
    var now = environment.now();
    boolean taken = false;
    while (take(group, now)) {
      taken = true;
    }
    if (group.facts().isEmpty()) {
      writing = null;
      answer(group);
    } else {
      write(group);
    }
    return taken;
  }

  /// Takes the next command, or one that goes past it where it has to wait for a closing.
  private boolean take(Group group, Instant now) {
    return take(lineup.peek(), group, now) || take(lineup.overtaking(), group, now);
  }

  /// Takes a command, unless there is none or it has to wait.
  private boolean take(Group.@Nullable Waiting next, Group group, Instant now) {
    if (next == null || !mayJoin(next, group)) {
      return false;
    }
    var decision = group.after().decide(next.command(), now);
    if (next.command() instanceof PlanCommand.Close(var set)
        && decision.answer() instanceof PlanAnswer.Done) {
      return close(next, set, group);
    }
    // What is full may have room when what is being closed is.
    if (decision.answer() instanceof PlanAnswer.Full && !lineup.closings().isEmpty()) {
      return false;
    }
    group.add(next, decision);
    lineup.remove(next);
    return true;
  }

  /// What ends a plan ends a group. An apply names the chain that it writes, which is the ledger's:
  /// changesets of steps may get in between those of the group.
  private static boolean mayJoin(Group.Waiting next, Group group) {
    boolean needsTheLedger = next.command() instanceof PlanCommand.Apply || group.after().ended();
    return (group.facts().isEmpty() || !needsTheLedger) && group.hasRoomFor(next);
  }

  /// What is committed is stored before the fact that names it, and what is stored is durable in
  /// the plan: with entries in the group, the changeset has to wait.
  private boolean close(Group.Waiting asked, String changeset, Group group) {
    var open = state.book().open(changeset).orElse(null);
    if (open == null || open != group.after().book().open(changeset).orElse(null)) {
      return false;
    }
    lineup.closings().begin(asked, open);
    lineup.remove(asked);
    getContext()
        .pipeToSelf(
            environment.helpers().keeper().keep(id(), open.body()),
            (body, failure) -> new Plan.BodyKept(changeset, body, failure));
    return true;
  }

  final void onBodyKept(String changeset, @Nullable String body, @Nullable Throwable failure) {
    if (body == null) {
      var reason = "the changeset cannot be stored now: " + reason(failure);
      lineup.closings().failed(changeset).unavailable(id(), reason, environment.retryAfter());
    } else {
      lineup.closings().stored(changeset, body);
    }
    next();
  }

  private static String reason(Throwable failure) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return String.valueOf(cause.getMessage());
  }

  private void write(Group group) {
    try {
      var codec = environment.codec();
      var facts = new ArrayList<Fact>();
      group.facts().forEach(fact -> facts.add(codec.encode(id(), fact)));
      List<HistoryRow> ended =
          group.after().ended() ? List.of(PlanArchive.row(group.after(), codec)) : List.of();
      List<String> reopened = group.before().ended() ? List.of(id().value()) : List.of();
      append(facts, ended, reopened);
    } catch (IllegalArgumentException notEncodable) {
      writing = null;
      refused(group, String.valueOf(notEncodable.getMessage()));
    }
  }

  final void append(List<Fact> facts, List<HistoryRow> ended, List<String> reopened) {
    environment
        .ledger()
        .tell(new Ledger.Append(id().value(), facts, ended, reopened, new ToPlan(self())));
  }

  /// What the ledger says to a group.
  final void onLedger(Ledger.Reply reply) {
    var group = writing;
    switch (reply) {
      case Ledger.Committed(PlanState after, var others) -> {
        see(after);
        committed(group);
        writing = null;
        answer(group);
        next();
      }
      case Ledger.Committed gone ->
          throw new IllegalStateException("the ledger does not know plan " + id());
      case Ledger.Refused(var reason) -> {
        writing = null;
        refused(group, reason);
        next();
      }
      case Ledger.Unavailable(var reason, var retryAfter) -> {
        writing = null;
        unavailable(group, reason, retryAfter);
      }
    }
  }

  /// An apply that has begun is answered when it is over.
  private void answer(Group group) {
    for (var one : group.decided()) {
      boolean isLater =
          one.waiting().command() instanceof PlanCommand.Apply && !one.decision().facts().isEmpty();
      if (!isLater) {
        one.waiting().asker().answer(id(), one.decision().answer());
      }
    }
  }

  private void refused(Group group, String reason) {
    if (group.decided().size() == 1) {
      var only = group.decided().getFirst().waiting();
      if (only.asker().isNobody()) {
        getContext().getLog().error("plan [{}]: {} was refused: {}", id(), only.command(), reason);
      }
      only.asker().tell(new PlanReply.Refused(id(), reason));
      return;
    }
    lineup.putBack(
        group.decided().stream()
            .map(Group.Decided::waiting)
            .map(Group.Waiting::suspected)
            .toList());
  }

  private void unavailable(Group group, String reason, Duration retryAfter) {
    var own = new ArrayList<Group.Waiting>();
    for (var one : group.decided()) {
      if (one.waiting().asker().isNobody()) {
        own.add(one.waiting());
      } else {
        one.waiting().asker().unavailable(id(), reason, retryAfter);
      }
    }
    lineup.putBack(own);
    timers.startSingleTimer(AGAIN, Plan.WriteAgain.INSTANCE, retryAfter);
  }

  final void onWriteAgain() {
    next();
  }

  private Behavior<Plan.Command> crash(Throwable failure, Plan.Command failedAt) {
    MemoryReserve.giveBackAfter(failure);
    var words = new FailedPlan(id(), self(), environment, reply -> tellWaiting(reply, failedAt));
    return FailedActor.because(failure, null, words, getContext());
  }

  /// The sender of the message that it failed at may be one of those who wait.
  private void tellWaiting(PlanReply.Unavailable reply, Plan.Command failedAt) {
    var waiting = waiting();
    waiting.forEach(asker -> asker.tell(reply));
    if (failedAt instanceof Plan.Asked asked && !waiting.contains(new Asker(asked.replyTo()))) {
      asked.replyTo().tell(reply);
    }
    abandon(reply);
  }

  /// Whoever waits for the fate of a command.
  private List<Asker> waiting() {
    var waiting = lineup.waiting();
    if (writing != null) {
      writing.decided().forEach(one -> waiting.add(one.waiting().asker()));
    }
    return waiting;
  }

  private record ToPlan(ActorRef<Plan.Command> plan) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      plan.tell(new Plan.LedgerAnswered(reply));
    }
  }
}
