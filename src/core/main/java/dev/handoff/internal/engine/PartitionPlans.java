package dev.handoff.internal.engine;

import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.LedgerNotice;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanArchive;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanEnvironment;
import dev.handoff.internal.plan.PlanNotice;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.plan.PlanId;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Plans of a partition: delivers messages to their actors, tells them their state after facts of
/// their steps, answers for plans in history, and replaces failed actors.
final class PartitionPlans {

  private final ActorContext<Partition.Command> context;
  private final PartitionEnvironment environment;
  private final ActorRef<Ledger.Command> ledger;
  private final StoreProbe probe;
  private final PartitionJobs jobs;
  private final Behavior<Plan.Command> unborn;
  private final Map<PlanId, ActorRef<Plan.Command>> actors = new HashMap<>();
  private final MessagesInWaiting<PlanId, Plan.Command> waiting;
  private final CrashCounter crashes = new CrashCounter();

  PartitionPlans(
      ActorContext<Partition.Command> context,
      PartitionEnvironment environment,
      ActorRef<Ledger.Command> ledger,
      PartitionJobs jobs) {
    this.context = context;
    this.environment = environment;
    this.ledger = ledger;
    this.probe = new StoreProbe(ledger);
    this.jobs = jobs;
    this.waiting = new MessagesInWaiting<>(environment.settings().jobs().stash());
    this.unborn =
        Plan.unborn(
            new PlanEnvironment(
                ledger,
                context.messageAdapter(PlanNotice.class, Partition.PlanSays::new),
                environment.peers().plans(),
                environment.ledger().codec(),
                new PlanEnvironment.Time(environment.clock(), System::nanoTime),
                environment.settings().plans(),
                environment.retryAfter()));
  }

  void on(Partition.ForPlans message) {
    switch (message) {
      case Partition.SubmitPlan(var id, var draft, var replyTo) ->
          spawn(id, new Plan.Submitted(id, draft, replyTo));
      case Partition.DeliverPlan(var forPlan) -> deliver(forPlan);
      case Partition.PlanSays(var notice) -> onNotice(notice);
      case Partition.PlanRowFound(var id, var row, var failure) -> onRow(id, row, failure);
      case Partition.PlanStateFound(var asked, var reply) -> onState(asked, reply);
      case Partition.AskForPlan again -> askLedger(again);
    }
  }

  /// Restores a plan that was live at recovery.
  void restore(PlanState plan) {
    spawn(plan.id(), new Plan.Live(plan));
  }

  /// Sends each plan that durable facts have changed its new state, once.
  void moved(List<LedgerNotice.Folded> facts) {
    var moved = new LinkedHashMap<PlanId, PlanState>();
    for (var folded : facts) {
      if (folded.state() instanceof PlanState plan) {
        moved.put(plan.id(), plan);
      }
    }
    moved.forEach(
        (id, plan) -> {
          var actor = actors.get(id);
          if (actor != null) {
            actor.tell(new Plan.Moved(plan));
          }
        });
  }

  void turnAway(PlanId id, Plan.Command message, String reason) {
    tell(message, new PlanReply.Unavailable(id, reason, environment.retryAfter()));
  }

  private ActorRef<Plan.Command> spawn(PlanId id, Plan.Start start) {
    var actor = context.spawnAnonymous(unborn);
    actor.tell(start);
    actors.put(id, actor);
    return actor;
  }

  private void deliver(PlanEnvelope message) {
    var id = message.plan();
    var left = crashes.leftBecause(id);
    var actor = actors.get(id);
    if (waiting.isOpen(id)) {
      await(id, message.command());
    } else if (left != null) {
      turnAway(id, message.command(), "plan " + left);
    } else if (actor != null) {
      actor.tell(message.command());
    } else {
      waiting.open(id);
      await(id, message.command());
      context.pipeToSelf(
          environment.ledger().store().find(id.value()),
          (row, failure) -> new Partition.PlanRowFound(id, row, failure));
    }
  }

  private void await(PlanId id, Plan.Command message) {
    if (!waiting.add(id, message)) {
      turnAway(id, message, "too many messages wait for plan " + id);
    }
  }

  private void onRow(PlanId id, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var messages = waiting.close(id);
    if (row == null) {
      probe.sendAfter(failure);
      var reason = StoreProbe.reason(failure);
      messages.forEach(message -> turnAway(id, message, reason));
      return;
    }
    var found = row.filter(one -> one.kind().equals(PlanArchive.KIND));
    if (found.isEmpty()) {
      messages.forEach(message -> tell(message, new PlanReply.NotFound(id)));
      return;
    }
    try {
      var ended = PlanArchive.read(found.get(), environment.ledger().codec());
      messages.forEach(message -> answer(ended, message));
    } catch (IOException unreadable) {
      var reason = "plan %s cannot be read from history: %s".formatted(id, unreadable.getMessage());
      context.getLog().error(reason);
      messages.forEach(message -> turnAway(id, message, reason));
    }
  }

  /// Answers queries from history; other messages get an actor for the ended plan.
  private void answer(PlanState ended, Plan.Command message) {
    var actor = actors.get(ended.id());
    switch (message) {
      case Plan.Command any when actor != null -> actor.tell(any);
      case Plan.Get(var replyTo) -> replyTo.tell(new PlanReply.Current(ended));
      case Plan.Watch(var replyTo) -> replyTo.tell(new PlanReply.Current(ended));
      case Plan.Command any -> spawn(ended.id(), new Plan.Archived(ended)).tell(any);
    }
  }

  private static void tell(Plan.Command message, PlanReply reply) {
    if (message instanceof Plan.Asked asked) {
      asked.replyTo().tell(reply);
    }
  }

  private void onNotice(PlanNotice notice) {
    switch (notice) {
      case PlanNotice.Gone(var id, var actor) -> onGone(id, actor);
      case PlanNotice.Disorder lost -> throw new IllegalStateException("a plan's actor is lost");
      case PlanNotice.Crashed(var id, var actor, var cause) -> onCrashed(id, actor, cause);
      case PlanNotice.Born(var born, var plans) -> {
        born.forEach(jobs::born);
        plans.forEach(plan -> spawn(plan.id(), new Plan.Live(plan)));
      }
      case PlanNotice.ToJob(var message) -> jobs.deliver(message);
      case PlanNotice.ToPlan(var message) -> deliver(message);
    }
  }

  private void onGone(PlanId id, ActorRef<Plan.Command> actor) {
    if (actors.remove(id, actor)) {
      crashes.forget(id);
    }
    actor.tell(Plan.Retire.INSTANCE);
  }

  /// Replaces a failed actor. The successor starts from the ledger's state after all appends of its
  /// predecessor are resolved. Until then messages for the plan wait.
  private void onCrashed(PlanId id, ActorRef<Plan.Command> actor, String cause) {
    if (actor.equals(actors.get(id))) {
      crashes.failed(id, cause);
      waiting.open(id);
      askLedger(new Partition.AskForPlan(id, actor));
    }
  }

  /// Creates the actor of an accepted live plan, unless present.
  private void find(PlanId id) {
    if (!actors.containsKey(id)) {
      waiting.open(id);
      askLedger(new Partition.AskForPlan(id, null));
    }
  }

  private void askLedger(Partition.AskForPlan asked) {
    var self = context.getSelf();
    ledger.tell(
        new Ledger.Append(
            asked.plan().value(),
            List.of(),
            List.of(),
            List.of(),
            reply -> self.tell(new Partition.PlanStateFound(asked, reply))));
  }

  /// Handles the ledger's answer. An actor may be reported as failed twice: a plan that already has
  /// a new actor keeps it.
  private void onState(Partition.AskForPlan asked, Ledger.Reply reply) {
    var id = asked.plan();
    switch (reply) {
      case Ledger.Reply late when !Objects.equals(asked.failed(), actors.get(id)) -> goOn(id);
      case Ledger.Committed(PlanState plan, var others) -> {
        revive(plan, asked.failed() != null);
        goOn(id);
      }
      case Ledger.Committed over -> {
        actors.remove(id);
        crashes.forget(id);
        goOn(id);
      }
      case Ledger.Unavailable(var reason, var retryAfter) ->
          context.scheduleOnce(retryAfter, context.getSelf(), asked);
      case Ledger.Refused never -> {}
    }
  }

  private void revive(PlanState plan, boolean crashed) {
    switch (crashed ? crashes.judge(plan) : CrashCounter.Verdict.AGAIN) {
      case AGAIN -> spawnWithSteps(plan);
      case GIVE_UP -> spawnWithSteps(plan).tell(new Plan.GiveUp(crashes.reason(plan.id())));
      case LEAVE -> context.getLog().error("plan " + crashes.leftBecause(plan.id()));
    }
  }

  /// Creates the plan's actor, and missing actors of its steps: the plan may have failed before it
  /// reported their birth.
  private ActorRef<Plan.Command> spawnWithSteps(PlanState plan) {
    for (var step : plan.spec().steps()) {
      if (!hasEnded(plan, step.name())) {
        if (step.job() != null) {
          jobs.find(step.job());
        } else {
          find(step.plan());
        }
      }
    }
    return spawn(plan.id(), new Plan.Live(plan));
  }

  private static boolean hasEnded(PlanState plan, String step) {
    return plan.steps().find(step).filter(at -> at.status().isTerminal()).isPresent();
  }

  private void goOn(PlanId id) {
    waiting.close(id).forEach(message -> deliver(new PlanEnvelope(id, message)));
  }
}
