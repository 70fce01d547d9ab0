package dev.handoff.internal.plan;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.CommandVerdict;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Single-threaded simulation of a partition with one tree of plans: real decisions and folds of
/// plans and jobs, with random delays, reorderings and crashes around them.
///
/// Messages to the same job or plan keep their order, as in a partition. A crash loses everything
/// that is not in the ledger.
final class PlanSimulation {

  /// Rule that is switched off, so that the checks must fail.
  enum Without {
    NOTHING,
    /// After a restart, orders follow from later moves only, not from the recovered state.
    ORDERS_FROM_STATE,
    /// A step that must not run again only gets a stop order; its drop is not recorded.
    DROPPING
  }

  private static final int MOST_STEPS = 100_000;
  private static final ClaimingWorker WORKER = new ClaimingWorker(new PoolId("pool"), "worker");

  final SimulatedLedger ledger;
  final PlanId root;
  private final Random random;
  private final Without without;
  private final Map<String, Mind> minds = new LinkedHashMap<>();
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private int crashes;
  private int cancels;
  private int retries;
  private int refusals;

  /// Actor of a live plan.
  private final class Mind {
    private final PlanId id;
    private final List<Object> inbox = new ArrayList<>();
    private final List<PlanCommand> queue = new ArrayList<>();
    private final Set<String> started = new HashSet<>();
    private final Set<String> stopped = new HashSet<>();
    private PlanState state;
    private boolean writing;

    Mind(PlanState state) {
      this.id = state.id();
      this.state = state;
    }

    void next() {
      if (!inbox.isEmpty()) {
        switch (inbox.removeFirst()) {
          case PlanState moved -> see(moved);
          case PlanCommand command -> queue.add(command);
          default -> throw new IllegalStateException();
        }
      }
      if (!writing && !queue.isEmpty()) {
        write();
      }
      advance();
    }

    private void see(PlanState moved) {
      state = moved.version() > state.version() ? moved : state;
    }

    private void write() {
      var group = new CommandGroup(state);
      var taken = new ArrayList<PlanCommand>();
      while (!queue.isEmpty() && !(group.after().ended() && !group.facts().isEmpty())) {
        var command = queue.removeFirst();
        taken.add(command);
        var decision = group.after().decide(command, ledger.now());
        group.add(new CommandGroup.Waiting(command, PlanRequester.NOBODY, false), decision);
        finished(id, decision.answer());
      }
      if (group.facts().isEmpty()) {
        return;
      }
      writing = true;
      ledger.append(
          id.value(),
          group.facts(),
          group.after().ended() ? group.after() : null,
          after -> {
            writing = false;
            see((PlanState) after);
            if (state.ended()) {
              minds.remove(id.value());
              inbox.forEach(left -> redirect(id, left));
              queue.forEach(left -> redirect(id, left));
            }
          },
          () -> {
            writing = false;
            taken.removeIf(command -> !(command instanceof PlanCommand.Internal));
            queue.addAll(0, taken);
          });
    }

    private void advance() {
      started.removeIf(
          step ->
              state
                  .steps()
                  .find(step)
                  .filter(at -> at.status() == PlanInfo.StepStatus.WAITING)
                  .isEmpty());
      for (var order : StepOrders.of(state, started)) {
        switch (order) {
          case StepOrders.Start(var step, boolean again) -> start(step, again);
          case StepOrders.Stop(var step, var reason) -> {
            if (stopped.add(step.name())) {
              tell(step, new JobCommand.Cancel(reason, "p"), new PlanCommand.Cancel(reason, "p"));
            }
          }
        }
      }
      boolean mayEnd = !state.decide(new PlanCommand.Settle(), ledger.now()).facts().isEmpty();
      if (!writing && queue.isEmpty() && mayEnd) {
        queue.add(new PlanCommand.Settle());
      }
    }

    private void start(PlanSpec.Step step, boolean again) {
      started.add(step.name());
      tell(
          step,
          again ? new JobCommand.Retry("p", true) : new JobCommand.Release(),
          again ? new PlanCommand.Retry("p", true) : new PlanCommand.Release());
    }

    private void tell(PlanSpec.Step step, JobCommand toJob, PlanCommand toPlan) {
      if (step.job() != null) {
        job(step.job()).inbox.add(new Told(toJob, id));
      } else {
        deliver(step.plan(), toPlan);
      }
    }

    private void over(String step) {
      boolean isToRunAgain = state.steps().find(step).filter(StepState::isToRunAgain).isPresent();
      if (isToRunAgain && !started.contains(step) && without != Without.DROPPING) {
        queue.add(new PlanCommand.DropStep(step));
      }
    }
  }

  private record Told(JobCommand command, @Nullable PlanId by) {}

  /// Job, live or ended.
  private final class Job {
    private final JobId id;
    private final List<Told> inbox = new ArrayList<>();
    private boolean writing;

    Job(JobId id) {
      this.id = id;
    }

    boolean isBusy() {
      return !writing && !inbox.isEmpty();
    }

    void next() {
      var told = inbox.removeFirst();
      var state = (JobState) ledger.find(id.value());
      var decision = state.decide(told.command(), ledger.now(), random);
      if (decision.facts().isEmpty()) {
        answer(told, decision.verdict());
        return;
      }
      writing = true;
      ledger.append(
          id.value(), decision.facts(), null, after -> writing = false, () -> writing = false);
    }

    private void answer(Told told, CommandVerdict verdict) {
      if (verdict == CommandVerdict.ALREADY_FINISHED && told.by() != null) {
        var plan = minds.get(told.by().value());
        if (plan != null) {
          plan.state.spec().steps().stream()
              .filter(step -> step.id().equals(id))
              .forEach(step -> plan.over(step.name()));
        }
      }
    }
  }

  PlanSimulation(Random random, Without without) {
    this.random = random;
    this.without = without;
    this.ledger = new SimulatedLedger(random);
    this.root = new PlanId(ledger.newId());
    var birth = PlanBirth.of(root, PlanSamples.anyPlan(random, 1), ledger.now(), random);
    ledger.accept(birth.facts(PlanSamples.CODEC));
    ledger.onMoved(this::moved);
    restart();
  }

  /// Reports a child plan's answer to its parent.
  private void finished(PlanId child, PlanAnswer answer) {
    var origin = ((PlanState) ledger.find(child.value())).spec().origin();
    if (origin != null && answer instanceof PlanAnswer.AlreadyFinished) {
      var parent = minds.get(origin.parent().value());
      if (parent != null) {
        parent.over(origin.step());
      }
    }
  }

  private void moved(PlanState plan) {
    var mind = minds.get(plan.id().value());
    if (mind != null) {
      mind.inbox.add(plan);
    }
  }

  private Job job(JobId id) {
    return jobs.computeIfAbsent(id.value(), first -> new Job(id));
  }

  private void redirect(PlanId id, Object message) {
    if (message instanceof PlanCommand command && !(command instanceof PlanCommand.Internal)) {
      deliver(id, command);
    }
  }

  /// Delivers a command. A plan in history gets an actor on demand.
  private void deliver(PlanId id, PlanCommand command) {
    minds
        .computeIfAbsent(id.value(), first -> new Mind((PlanState) ledger.find(id.value())))
        .inbox
        .add(command);
  }

  private void restart() {
    ledger.loseWhatIsNotWritten();
    jobs.clear();
    minds.clear();
    for (var state : ledger.live()) {
      if (state instanceof PlanState plan) {
        var mind = new Mind(plan);
        minds.put(plan.id().value(), mind);
        if (without == Without.ORDERS_FROM_STATE) {
          plan.spec().steps().forEach(step -> mind.started.add(step.name()));
        }
      } else if (state instanceof JobState job) {
        job(job.id());
        // Exclusive store: the attempts of a dead process are lost at once.
        job.underway().ifPresent(run -> tell(job.id(), new JobCommand.LoseWorker(job.attempt())));
      }
    }
  }

  private void tell(JobId id, JobCommand command) {
    job(id).inbox.add(new Told(command, null));
  }

  /// Runs random steps with faults, and then steps without faults until nothing changes.
  PlanSimulation run() {
    for (int i = 0; i < 400; i++) {
      ledger.pass(random.nextInt(20));
      trouble();
      something();
    }
    for (int i = 0; !isOver(); i++) {
      if (i > MOST_STEPS) {
        throw new AssertionError("it never ends: " + ledger.live());
      }
      something();
      if (i % 500 == 499) {
        forget();
        discardAll();
      }
    }
    ledger.checkTheEnd();
    return this;
  }

  private boolean isOver() {
    return ledger.isIdle() && ledger.live().isEmpty();
  }

  private void something() {
    switch (random.nextInt(4)) {
      case 0 -> ledger.commitNext();
      case 1 -> any(minds.values()).forEach(Mind::next);
      case 2 -> any(jobs.values().stream().filter(Job::isBusy).toList()).forEach(Job::next);
      default -> work();
    }
  }

  private <T> List<T> any(Iterable<T> of) {
    var all = new ArrayList<T>();
    of.forEach(all::add);
    return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
  }

  private void work() {
    var live = ledger.live().stream().filter(JobState.class::isInstance).toList();
    for (var state : any(live)) {
      var job = (JobState) state;
      if (!job(job.id()).inbox.isEmpty()) {
        continue;
      }
      switch (job.phase()) {
        case JobPhase.Pending ready -> tell(job.id(), new JobCommand.Claim(WORKER));
        case JobPhase.Claimed claimed -> tell(job.id(), new JobCommand.Started(job.attempt()));
        case JobPhase.Running running -> tell(job.id(), report(job.attempt(), outcome()));
        case JobPhase.Stopping stopping ->
            tell(
                job.id(),
                report(
                    job.attempt(),
                    new AttemptReport.Stopped(dev.handoff.cancel.Cancellation.Cause.REQUESTED)));
        case JobPhase.Waiting held -> {}
        case JobPhase.Ended over -> {}
      }
    }
  }

  private AttemptReport outcome() {
    if (random.nextInt(4) == 0) {
      return new AttemptReport.Threw(JobError.of("x.Y", "no luck"));
    }
    var made = random.nextBoolean() ? new StepContribution("b" + random.nextInt(1000), 1, 0) : null;
    return new AttemptReport.Returned(Json.of("1"), made);
  }

  private static JobCommand report(int attempt, AttemptReport report) {
    return new JobCommand.Report(attempt, report, AttemptNotes.NONE);
  }

  private void trouble() {
    switch (random.nextInt(60)) {
      case 0 -> {
        crashes++;
        restart();
      }
      case 1 -> {
        if (random.nextInt(3) == 0) {
          cancels++;
          deliver(anyPlan(), new PlanCommand.Cancel("no more", "ann"));
        }
      }
      case 2 -> any(jobs.values()).forEach(job -> cancelDirectly(job.id));
      case 3, 4 -> {
        if (ledger.find(root.value()).ended()) {
          retries++;
        }
        deliver(root, new PlanCommand.Retry("ann"));
      }
      case 5 -> deliver(root, new PlanCommand.StartChangeset("mine", "ann"));
      case 6, 7 ->
          deliver(root, new PlanCommand.Record(null, List.of(PlanSamples.change("a.txt"))));
      case 8 -> deliver(root, new PlanCommand.Commit("c1", PlanSamples.sha("c1"), 1));
      case 9 -> deliver(root, new PlanCommand.Apply("/tmp/target"));
      case 10 -> endApply(true);
      case 11 -> endApply(false);
      case 12 -> {
        refusals++;
        ledger.turnDownNext();
      }
      case 13 -> minds.values().forEach(this::lookAtTheTime);
      case 14 -> ledger.pass(2_000);
      case 15 -> forget();
      default -> {}
    }
  }

  private void lookAtTheTime(Mind mind) {
    var whole = mind.state.spec().deadline();
    if (whole != null
        && mind.state.phase() instanceof PlanPhase.Running(var since)
        && !since.plus(whole).isAfter(ledger.now())) {
      mind.queue.add(new PlanCommand.DeadlinePassed(since));
    }
  }

  /// Lets all orders be repeated.
  private void forget() {
    if (without != Without.ORDERS_FROM_STATE) {
      minds.values().forEach(mind -> mind.started.clear());
      minds.values().forEach(mind -> mind.stopped.clear());
    }
  }

  private void cancelDirectly(JobId job) {
    if (random.nextInt(4) == 0) {
      tell(job, new JobCommand.Cancel("not this one", "bob"));
    }
    tell(job, new JobCommand.Retry("bob"));
  }

  private void endApply(boolean written) {
    var mind = minds.get(root.value());
    if (mind != null && mind.state.book().applying() != null) {
      int number = mind.state.book().applying().number();
      mind.queue.add(
          written
              ? new PlanCommand.ApplyWritten(number, 1)
              : new PlanCommand.ApplyUndone(number, "no room"));
    }
  }

  private void discardAll() {
    endApply(true);
    if (ledger.find(root.value()) instanceof PlanState plan && !plan.isOver()) {
      plan.book().open().forEach(set -> deliver(root, new PlanCommand.Discard(set.id())));
    }
  }

  private PlanId anyPlan() {
    var all = new LinkedHashSet<PlanId>(List.of(root));
    ledger.live().stream()
        .filter(PlanState.class::isInstance)
        .forEach(plan -> all.add((PlanId) plan.id()));
    return any(all).getFirst();
  }

  /// Number of occurrences of each interesting event.
  Map<String, Integer> seen() {
    var seen = new HashMap<>(ledger.seen());
    seen.put("crash", crashes);
    seen.put("cancel", cancels);
    seen.put("retry of an ended plan", retries);
    seen.put("append turned down", refusals);
    return seen;
  }
}
