package dev.handoff.plan;

import dev.handoff.ledger.Fact;
import dev.handoff.ledger.Ledger;
import dev.handoff.store.HistoryRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
///   │                   ├──────Refused──────▶ each of them alone, so that only the bad one is
// refused
///   │                   └──────Unavailable──▶ idle; what the plan asked itself is tried again
// later
///   └──Close──▶ storing the body ──▶ the commit is the next command
/// ```
abstract class PlanWriting extends AbstractMatchingBehavior<Plan.Command> {

  private static final String AGAIN = "write-again";

  /// How long a failed actor stays, for what was sent to it before its successor was known.
  private static final Duration AFTER_A_CRASH = Duration.ofMinutes(1);

  final PlanEnvironment environment;
  final TimerScheduler<Plan.Command> timers;
  private final Deque<Group.Waiting> queue = new ArrayDeque<>();
  private PlanState state;
  private @Nullable Group writing;
  private @Nullable Closing closing;
  private int alone;

  /// A changeset whose body is being stored.
  private record Closing(Group.Waiting asked, String changeset, int entries) {}

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
    } catch (RuntimeException e) {
      var failed = crash(e);
      turnAway(message, e);
      return failed;
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
    return writing == null && closing == null && queue.isEmpty();
  }

  /// Has a command decided, with the others that wait.
  final void ask(PlanCommand command, Asker asker) {
    if (queue.size() >= environment.settings().waiting() && !asker.isNobody()) {
      asker.unavailable(id(), "too many commands wait for plan " + id(), environment.retryAfter());
      return;
    }
    queue.add(new Group.Waiting(command, asker));
    next();
  }

  private void next() {
    while (writing == null && closing == null && !queue.isEmpty()) {
      if (queue.peek().command() instanceof PlanCommand.Close close) {
        close(queue.poll(), close.changeset());
      } else {
        decide();
      }
    }
  }

  private void decide() {
    var group = new Group(state);
    var now = environment.now();
    int most = alone > 0 ? 1 : Integer.MAX_VALUE;
    while (mayJoin(queue.peek(), group, most)) {
      var next = queue.poll();
      group.add(next, group.after().decide(next.command(), now));
    }
    alone = Math.max(0, alone - 1);
    if (group.facts().isEmpty()) {
      answer(group);
    } else {
      write(group);
    }
  }

  /// A changeset is closed when everything before is durable; and what ends a plan ends a group.
  private static boolean mayJoin(Group.@Nullable Waiting next, Group group, int most) {
    return next != null
        && !(next.command() instanceof PlanCommand.Close)
        && (group.facts().isEmpty() || !group.after().ended())
        && group.hasRoomFor(next, most);
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
      writing = group;
    } catch (IllegalArgumentException notEncodable) {
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
    writing = null;
    switch (reply) {
      case Ledger.Committed(PlanState after, var others) -> {
        see(after);
        committed(group);
        answer(group);
        next();
      }
      case Ledger.Committed gone ->
          throw new IllegalStateException("the ledger does not know plan " + id());
      case Ledger.Refused(var reason) -> {
        refused(group, reason);
        next();
      }
      case Ledger.Unavailable(var reason, var retryAfter) -> unavailable(group, reason, retryAfter);
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
      var asker = group.decided().getFirst().waiting().asker();
      asker.tell(new PlanReply.Refused(id(), reason));
      return;
    }
    alone = group.decided().size();
    for (var one : group.decided().reversed()) {
      queue.addFirst(one.waiting());
    }
  }

  private void unavailable(Group group, String reason, Duration retryAfter) {
    for (var one : group.decided().reversed()) {
      if (one.waiting().asker().isNobody()) {
        queue.addFirst(one.waiting());
      } else {
        one.waiting().asker().unavailable(id(), reason, retryAfter);
      }
    }
    timers.startSingleTimer(AGAIN, Plan.WriteAgain.INSTANCE, retryAfter);
  }

  final void onWriteAgain() {
    next();
  }

  /// What is committed is stored before the fact that names it.
  private void close(Group.Waiting asked, String changeset) {
    var decision = state.decide(asked.command(), environment.now());
    var open = state.book().open(changeset);
    if (open.isEmpty() || !(decision.answer() instanceof PlanAnswer.Done)) {
      asked.asker().answer(id(), decision.answer());
      return;
    }
    closing = new Closing(asked, changeset, open.get().entries().size());
    getContext()
        .pipeToSelf(
            environment.helpers().keeper().keep(id(), open.get().body()), Plan.BodyKept::new);
  }

  final void onBodyKept(@Nullable String body, @Nullable Throwable failure) {
    var done = closing;
    closing = null;
    if (body == null) {
      var reason = "the changeset cannot be stored now: " + failure.getMessage();
      done.asked().asker().unavailable(id(), reason, environment.retryAfter());
    } else {
      var commit = new PlanCommand.Commit(done.changeset(), body, done.entries());
      queue.addFirst(new Group.Waiting(commit, done.asked().asker()));
    }
    next();
  }

  private Behavior<Plan.Command> crash(RuntimeException e) {
    getContext().getLog().error("plan [{}] failed", id(), e);
    environment.partition().tell(new PlanNotice.Crashed(id(), self(), String.valueOf(e)));
    var reason = "plan " + id() + " failed and starts anew: " + e;
    if (writing != null) {
      writing.decided().forEach(one -> turnAway(one.waiting(), reason));
    }
    if (closing != null) {
      turnAway(closing.asked(), reason);
    }
    queue.forEach(waiting -> turnAway(waiting, reason));
    abandon(new PlanReply.Unavailable(id(), reason, environment.retryAfter()));
    getContext().scheduleOnce(AFTER_A_CRASH, self(), Plan.Retire.INSTANCE);
    return Behaviors.receiveMessage(
        message -> {
          turnAway(message, e);
          return message == Plan.Retire.INSTANCE ? Behaviors.stopped() : Behaviors.same();
        });
  }

  private void turnAway(Group.Waiting waiting, String reason) {
    waiting.asker().unavailable(id(), reason, environment.retryAfter());
  }

  private void turnAway(Plan.Command message, RuntimeException e) {
    if (message instanceof Plan.Asked asked) {
      var reason = "plan " + id() + " failed and starts anew: " + e;
      asked.replyTo().tell(new PlanReply.Unavailable(id(), reason, environment.retryAfter()));
    }
  }

  private record ToPlan(ActorRef<Plan.Command> plan) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      plan.tell(new Plan.LedgerAnswered(reply));
    }
  }
}
