package dev.handoff.internal.job;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Explores all interleavings of two jobs and two workers, breadth-first over distinct worlds, and
/// checks every fact. Messages are delayed, doubled and lost in all ways: an attempt can repeat any
/// earlier report at any time.
final class JobWalk {

  private static final Instant NOW = JobSituations.NOW;
  private static final List<ClaimingWorker> WORKERS = List.of(worker(1), worker(2));

  /// Rules under test.
  interface Rules {
    JobDecision decide(JobState state, JobCommand command);
  }

  /// State of an attempt as its worker sees it.
  private enum Attempt {
    ORDERED,
    CALLED,
    CLOSED
  }

  /// State of a job as the job, the checker and the workers see it.
  private record Side(
      @Nullable JobState state, JobChecker checker, Map<Integer, Attempt> attempts) {

    static final Side NONE = new Side(null, JobChecker.NEW, Map.of());

    Side with(int number, Attempt attempt) {
      var all = new TreeMap<>(attempts);
      all.put(number, attempt);
      return new Side(state, checker, all);
    }

    /// State without versions and times, which would make equal worlds distinct.
    Side key() {
      return state == null
          ? this
          : new Side(
              new JobState(
                  state.id(),
                  state.spec(),
                  NOW,
                  0,
                  state.attempt(),
                  state.starts(),
                  state.phase(),
                  state.trail()),
              checker,
              attempts);
    }
  }

  private record World(Side left, Side right) {
    World key() {
      return new World(left.key(), right.key());
    }
  }

  private record Step(World world, int depth) {}

  private final Rules rules;
  private final int depth;
  private final List<JobSpec> specs;

  /// Number of distinct worlds, and of facts that led to them.
  record Seen(int worlds, long facts, Set<String> verdicts) {}

  JobWalk(Rules rules, int depth) {
    this.rules = rules;
    this.depth = depth;
    this.specs = List.of(spec(2), spec(1));
  }

  static JobDecision real(JobState state, JobCommand command) {
    return state.decide(command, NOW, JobSituations.chance());
  }

  Seen walk() {
    var seen = new HashSet<World>();
    var verdicts = new HashSet<String>();
    var next = new ArrayDeque<Step>();
    next.add(new Step(new World(Side.NONE, Side.NONE), 0));
    long facts = 0;
    while (!next.isEmpty()) {
      var step = next.poll();
      if (step.depth() == depth) {
        continue;
      }
      for (var world : after(step.world(), verdicts)) {
        facts++;
        if (seen.add(world.key())) {
          next.add(new Step(world, step.depth() + 1));
        }
      }
    }
    return new Seen(seen.size(), facts, verdicts);
  }

  private List<World> after(World world, Set<String> verdicts) {
    var worlds = new ArrayList<World>();
    for (var side : moves(world.left(), world.right(), 0, verdicts)) {
      worlds.add(new World(side, world.right()));
    }
    for (var side : moves(world.right(), world.left(), 1, verdicts)) {
      worlds.add(new World(world.left(), side));
    }
    return worlds;
  }

  private List<Side> moves(Side side, Side other, int number, Set<String> verdicts) {
    if (side.state() == null) {
      return List.of(submitted(number));
    }
    var after = new ArrayList<Side>();
    for (var command : commands(side, other)) {
      apply(side, command, verdicts).ifPresent(after::add);
    }
    side.attempts()
        .forEach(
            (attempt, is) -> {
              if (is == Attempt.ORDERED) {
                after.add(call(side, attempt));
                after.add(side.with(attempt, Attempt.CLOSED));
              }
            });
    return after;
  }

  private Side submitted(int number) {
    var fact = new JobFact.Submitted(specs.get(number), NOW, false);
    return new Side(
        JobState.create(JobSituations.id(number + 1), fact), JobChecker.NEW.next(fact), Map.of());
  }

  private Side call(Side side, int attempt) {
    return new Side(side.state(), side.checker().called(), side.attempts())
        .with(attempt, Attempt.CALLED);
  }

  private List<JobCommand> commands(Side side, Side other) {
    var commands = new ArrayList<JobCommand>();
    WORKERS.stream()
        .filter(worker -> !isBusy(other, worker))
        .forEach(worker -> commands.add(new JobCommand.Claim(worker)));
    commands.add(new JobCommand.Cancel("not needed", "operator"));
    commands.add(new JobCommand.SettleChildren(List.of()));
    commands.add(new JobCommand.Retry("operator"));
    commands.add(new JobCommand.GiveUp(JobSituations.ERROR));
    side.attempts().forEach((attempt, is) -> commands.addAll(said(attempt, is)));
    return commands;
  }

  private static List<JobCommand> said(int attempt, Attempt is) {
    var said = new ArrayList<JobCommand>();
    said.add(new JobCommand.LoseWorker(attempt));
    switch (is) {
      case ORDERED -> {}
      case CLOSED -> said.add(JobSituations.report(attempt, new AttemptReport.NeverStarted()));
      case CALLED -> {
        said.add(new JobCommand.Started(attempt));
        said.add(JobSituations.timeOut(attempt));
        said.add(new JobCommand.AddChild(attempt, JobSituations.CHILD));
        said.add(JobSituations.report(attempt, new AttemptReport.Returned(JobSituations.RESULT)));
        said.add(JobSituations.report(attempt, new AttemptReport.Threw(JobSituations.ERROR)));
        said.add(JobSituations.report(attempt, new AttemptReport.Threw(JobSituations.ERROR, true)));
        said.add(JobSituations.report(attempt, new AttemptReport.Later(Duration.ZERO)));
        said.add(JobSituations.report(attempt, new AttemptReport.Stopped(Cause.SHUTDOWN)));
        said.add(JobSituations.report(attempt, new AttemptReport.Abandoned(Cause.SHUTDOWN)));
      }
    }
    return said;
  }

  private Optional<Side> apply(Side side, JobCommand command, Set<String> verdicts) {
    var decision = rules.decide(side.state(), command);
    verdicts.add(command.getClass().getSimpleName() + " " + decision.verdict());
    if (decision.facts().isEmpty()) {
      return Optional.empty();
    }
    side.checker().accepted(command, decision);
    var state = side.state();
    var checker = side.checker();
    var after = side;
    for (var fact : decision.facts()) {
      state = state.apply(fact);
      checker = checker.next(fact);
      after = new Side(state, checker, after.attempts());
      if (fact instanceof JobFact.Claimed(int attempt, var by, var at)) {
        after = after.with(attempt, Attempt.ORDERED);
      }
    }
    agree(after);
    return Optional.of(after);
  }

  /// Asserts that the job and the checker agree.
  private static void agree(Side side) {
    var state = side.state();
    var checker = side.checker();
    boolean same =
        state.attempt() == checker.attempt()
            && state.starts() == checker.paid()
            && state.underway().isPresent() == checker.open()
            && state.ended() == (checker.life().ordinal() >= JobChecker.Life.SUCCEEDED.ordinal());
    if (!same) {
      throw new JobChecker.Violation("the state is not what its facts say", state, checker);
    }
  }

  private static boolean isBusy(Side other, ClaimingWorker worker) {
    return other.state() != null
        && other.state().underway().filter(run -> run.by().equals(worker)).isPresent();
  }

  private static ClaimingWorker worker(int number) {
    return new ClaimingWorker(new PoolId("pool"), "worker-" + number);
  }

  private static JobSpec spec(int maxAttempts) {
    var options =
        new JobOptions(Duration.ofMinutes(1), null, maxAttempts, Backoff.none(), Map.of());
    return new JobSpec("thumbnail", Json.NULL, "images", 0, null, null, options, null);
  }
}
