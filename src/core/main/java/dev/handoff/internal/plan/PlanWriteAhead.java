package dev.handoff.internal.plan;

import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Write-ahead protocol of a plan. At most one append is under way; commands that arrive meanwhile
/// are decided together and form the next append. No effect precedes its durable facts.
///
/// ```
/// idle ──commands──▶ writing ──Committed────▶ idle; waiting commands are decided
///   │                   ├──────Refused──────▶ one append per command: only the bad one is refused
///   │                   └──────Unavailable──▶ idle; the plan's own commands are retried later
///   └──Close──▶ body is stored, in parallel to all else ──▶ Commit is the next command
/// ```
final class PlanWriteAhead {

  private static final String AGAIN = "write-again";

  private final ActorContext<Plan.Command> context;
  private final TimerScheduler<Plan.Command> timers;
  private final PlanEnvironment environment;
  private final Consumer<CommandGroup> effects;
  private final WaitingCommands commands = new WaitingCommands();
  private PlanState state;

  /// Group of the append under way, kept until all its commands are answered: after a failure of
  /// the actor, the remaining requesters are told.
  private @Nullable CommandGroup writing;

  /// @param effects starts the side effects of a durable group, before its answers
  PlanWriteAhead(
      ActorContext<Plan.Command> context,
      TimerScheduler<Plan.Command> timers,
      PlanEnvironment environment,
      PlanState state,
      Consumer<CommandGroup> effects) {
    this.context = context;
    this.timers = timers;
    this.environment = environment;
    this.state = state;
    this.effects = effects;
  }

  PlanState state() {
    return state;
  }

  private PlanId id() {
    return state.id();
  }

  /// Adopts a newer state from the ledger.
  void see(@Nullable PlanState told) {
    if (told != null && told.version() > state.version()) {
      state = told;
    }
  }

  boolean isIdle() {
    return writing == null && commands.isEmpty();
  }

  /// Queues a command for the next decision.
  void ask(PlanCommand command, PlanRequester requester) {
    if (commands.size() >= environment.settings().waiting() && !requester.isNobody()) {
      requester.unavailable(
          id(), "too many commands wait for plan " + id(), environment.retryAfter());
      return;
    }
    commands.add(command, requester);
    next();
  }

  /// Decides waiting commands as far as possible now.
  private void next() {
    boolean more = true;
    while (writing == null && more) {
      more = decide();
    }
  }

  /// Decides one group. Returns whether it took a command from the queue.
  private boolean decide() {
    var group = new CommandGroup(state);
    writing = group;
    var now = environment.now();
    boolean taken = false;
    while (take(group, now)) {
      taken = true;
    }
    if (group.facts().isEmpty()) {
      answer(group);
      writing = null;
    } else {
      write(group);
    }
    return taken;
  }

  /// Takes the head of the queue, or a command allowed to overtake it.
  private boolean take(CommandGroup group, Instant now) {
    return take(commands.peek(), group, now) || take(commands.overtaking(), group, now);
  }

  /// Takes a command if it may join the group; null is never taken.
  private boolean take(CommandGroup.@Nullable Waiting next, CommandGroup group, Instant now) {
    if (next == null || !mayJoin(next, group)) {
      return false;
    }
    var decision = group.after().decide(next.command(), now);
    if (next.command() instanceof PlanCommand.Close(var set)
        && decision.answer() instanceof PlanAnswer.Done) {
      return close(next, set, group);
    }
    // A full change ledger may have room again after the pending closings.
    if (decision.answer() instanceof PlanAnswer.Full && !commands.closings().isEmpty()) {
      return false;
    }
    group.add(next, decision);
    commands.remove(next);
    return true;
  }

  /// Returns whether a command may join the group. A plan's end closes the group. An apply names
  /// the durable chain, so it must start a group: changesets of steps may be committed between
  /// those of the group.
  private static boolean mayJoin(CommandGroup.Waiting next, CommandGroup group) {
    boolean needsTheLedger = next.command() instanceof PlanCommand.Apply || group.after().ended();
    return (group.facts().isEmpty() || !needsTheLedger) && group.hasRoomFor(next);
  }

  /// Starts to close a changeset: its body is stored before the fact that names it. Only durable
  /// entries are stored, so a changeset with entries in the current group has to wait.
  private boolean close(CommandGroup.Waiting asked, String changeset, CommandGroup group) {
    var open = state.book().open(changeset).orElse(null);
    if (open == null || open != group.after().book().open(changeset).orElse(null)) {
      return false;
    }
    commands.closings().begin(asked, open);
    commands.remove(asked);
    context.pipeToSelf(
        environment.helpers().keeper().keep(id(), open.body()),
        (body, failure) -> new Plan.BodyKept(changeset, body, failure));
    return true;
  }

  void onBodyKept(String changeset, @Nullable String body, @Nullable Throwable failure) {
    if (body == null) {
      var reason = "the changeset cannot be stored now: " + reason(failure);
      commands.closings().failed(changeset).unavailable(id(), reason, environment.retryAfter());
    } else {
      commands.closings().stored(changeset, body);
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

  private void write(CommandGroup group) {
    try {
      var codec = environment.codec();
      var facts = new ArrayList<Fact>();
      group.facts().forEach(fact -> facts.add(codec.encode(id(), fact)));
      List<HistoryRow> ended =
          group.after().ended() ? List.of(PlanArchive.row(group.after(), codec)) : List.of();
      List<String> reopened = group.before().ended() ? List.of(id().value()) : List.of();
      append(facts, ended, reopened);
    } catch (IllegalArgumentException notEncodable) {
      refused(group, String.valueOf(notEncodable.getMessage()));
      writing = null;
    }
  }

  private void append(List<Fact> facts, List<HistoryRow> ended, List<String> reopened) {
    var sender = new ToPlan(context.getSelf());
    environment.ledger().tell(new Ledger.Append(id().value(), facts, ended, reopened, sender));
  }

  /// Handles the ledger's reply to a group.
  void onLedger(Ledger.Reply reply) {
    var group = writing;
    switch (reply) {
      case Ledger.Committed(PlanState after, var others) -> {
        see(after);
        effects.accept(group);
        answer(group);
        writing = null;
        next();
      }
      case Ledger.Committed gone ->
          throw new IllegalStateException("the ledger does not know plan " + id());
      case Ledger.Refused(var reason) -> {
        refused(group, reason);
        writing = null;
        next();
      }
      case Ledger.Unavailable(var reason, var retryAfter) -> {
        unavailable(group, reason, retryAfter);
        writing = null;
      }
    }
  }

  /// Answers the commands of a group. A started apply is answered at its end.
  private void answer(CommandGroup group) {
    for (var one : group.decided()) {
      boolean isLater =
          one.waiting().command() instanceof PlanCommand.Apply && !one.decision().facts().isEmpty();
      if (!isLater) {
        one.waiting().requester().answer(id(), one.decision().answer());
      }
    }
  }

  private void refused(CommandGroup group, String reason) {
    if (group.decided().size() == 1) {
      var only = group.decided().getFirst().waiting();
      if (only.requester().isNobody()) {
        context.getLog().error("plan [{}]: {} was refused: {}", id(), only.command(), reason);
      }
      only.requester().tell(new PlanReply.Refused(id(), reason));
      return;
    }
    commands.putBack(
        group.decided().stream()
            .map(CommandGroup.Decided::waiting)
            .map(CommandGroup.Waiting::suspected)
            .toList());
  }

  private void unavailable(CommandGroup group, String reason, Duration retryAfter) {
    var own = new ArrayList<CommandGroup.Waiting>();
    for (var one : group.decided()) {
      if (one.waiting().requester().isNobody()) {
        own.add(one.waiting());
      } else {
        one.waiting().requester().unavailable(id(), reason, retryAfter);
      }
    }
    commands.putBack(own);
    timers.startSingleTimer(AGAIN, Plan.WriteAgain.INSTANCE, retryAfter);
  }

  void onWriteAgain() {
    next();
  }

  /// Requesters of queued commands and of the append under way.
  List<PlanRequester> waiting() {
    var waiting = commands.waiting();
    if (writing != null) {
      writing.decided().forEach(one -> waiting.add(one.waiting().requester()));
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
