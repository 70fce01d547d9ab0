package dev.handoff.testing;

import dev.handoff.job.AttemptRecord;
import dev.handoff.job.EndCause;
import dev.handoff.job.JobChecker;
import dev.handoff.job.JobId;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks through a [History], after the faults have stopped, for anything that must not be. Each
/// check names its invariant; facts are checked if the history has them, everything else always.
public final class Invariants {

  private final List<History.Entry> entries;
  private final Map<JobId, JobState> ends = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();

  /// @param ends every job that there is after all, live or in history
  public Invariants(History history, Collection<JobState> ends) {
    this.entries = history.entries();
    ends.forEach(
        state -> {
          if (this.ends.putIfAbsent(state.id(), state) != null) {
            violate("I3 an id is there twice", state);
          }
        });
  }

  /// All that can be told without knowing of limits.
  ///
  /// @throws AssertionError with every violation
  public static void check(History history, Collection<JobState> ends) {
    check(history, ends, Map.of());
  }

  /// @param limits how much of each queue may be used at once
  /// @throws AssertionError with every violation
  public static void check(
      History history, Collection<JobState> ends, Map<String, Integer> limits) {
    var found = new Invariants(history, ends).violations(limits);
    if (!found.isEmpty()) {
      throw new AssertionError(
          found.size() + " violations:\n" + String.join("\n", found.subList(0, first(found))));
    }
  }

  private static int first(List<String> found) {
    return Math.min(20, found.size());
  }

  /// What must not be, in words; empty if everything is as it should be.
  public List<String> violations(Map<String, Integer> limits) {
    nothingIsLost();
    nothingAppears();
    oneKeyOneJob();
    everyFactIsLegal();
    everyStartHasACause();
    anEndStaysAnEnd();
    whatIsCancelledHasStopped();
    limitsHold(limits);
    return List.copyOf(violations);
  }

  private void nothingIsLost() {
    for (var accepted : all(History.Accepted.class)) {
      var end = ends.get(accepted.job());
      if (end == null || !end.ended()) {
        violate("I1 an accepted job has no end", accepted.job() + " " + end);
      }
    }
  }

  private void nothingAppears() {
    var known = new HashSet<JobId>();
    all(History.Accepted.class).forEach(accepted -> known.add(accepted.job()));
    ends.values().forEach(end -> end.trail().children().forEach(child -> known.add(child.id())));
    var unanswered = all(History.Unanswered.class).stream().map(History.Unanswered::spec).toList();
    for (var end : ends.values()) {
      boolean asked = unanswered.stream().anyMatch(spec -> spec.hasSameContent(end.spec()));
      if (!known.contains(end.id()) && !asked && end.spec().origin() == null) {
        violate("I2 nobody submitted it", end);
      }
    }
  }

  private void oneKeyOneJob() {
    var holders = new HashMap<String, JobId>();
    ends.values().forEach(end -> hold(holders, end.spec(), end.id()));
    all(History.Accepted.class).forEach(one -> hold(holders, one.spec(), one.job()));
  }

  private void hold(Map<String, JobId> holders, JobSpec spec, JobId job) {
    var key = spec.uniqueKey();
    var before = key == null ? null : holders.putIfAbsent(key, job);
    if (before != null && !before.equals(job)) {
      violate("I3 two jobs have the key " + key, before + " and " + job);
    }
  }

  /// I4 to I9 and I12, by a second telling of a job's rules. What follows from a violation is not
  /// told.
  private void everyFactIsLegal() {
    var checkers = new HashMap<JobId, JobChecker>();
    var broken = new HashSet<JobId>();
    for (var entry : entries) {
      var job = jobOf(entry);
      if (job != null && !broken.contains(job)) {
        try {
          follow(entry, job, checkers);
        } catch (JobChecker.Violation violation) {
          broken.add(job);
          violate(String.valueOf(violation.getMessage()), job);
        }
      }
    }
  }

  private static void follow(History.Entry entry, JobId job, Map<JobId, JobChecker> checkers) {
    if (entry instanceof History.Written(var of, var fact)) {
      checkers.put(job, checkers.getOrDefault(job, JobChecker.NEW).next(fact));
    } else if (entry instanceof History.Entered) {
      checkers.computeIfPresent(job, (same, checker) -> checker.called());
    }
  }

  private static @Nullable JobId jobOf(History.Entry entry) {
    return switch (entry) {
      case History.Written written -> written.job();
      case History.Entered entered -> entered.job();
      case History.Entry other -> null;
    };
  }

  /// I8 and I9 from the job's own record: each attempt is started at most once, and each but the
  /// last has a recorded end that asks for another.
  private void everyStartHasACause() {
    var starts = new HashMap<JobId, List<Integer>>();
    all(History.Entered.class)
        .forEach(
            one -> starts.computeIfAbsent(one.job(), none -> new ArrayList<>()).add(one.attempt()));
    starts.forEach(
        (job, attempts) -> {
          var end = ends.get(job);
          if (Set.copyOf(attempts).size() < attempts.size()) {
            violate("I8 an attempt was started twice", job + " " + attempts);
          }
          if (end == null) {
            violate("I1 what ran is not there", job);
          } else {
            requireCauses(end, attempts.size());
          }
        });
    ends.values().forEach(this::requireRisingAttempts);
  }

  private void requireCauses(JobState end, int starts) {
    int reopenings = end.trail().reopenings().size();
    long causes =
        end.trail().attempts().stream().filter(Invariants::asksForAnother).count() + reopenings;
    if (starts > 1 + causes) {
      violate("I8 %d starts for %d causes".formatted(starts, causes), end);
    }
    long own = end.trail().attempts().stream().filter(Invariants::isByItsHandler).count();
    if (end.spec().options().maxAttempts() == 1 && starts > 1 + reopenings + own) {
      violate("I9 started %d times, at most once was asked for".formatted(starts), end);
    }
  }

  private static boolean isByItsHandler(AttemptRecord attempt) {
    return attempt.cause() == EndCause.LATER;
  }

  private static boolean asksForAnother(AttemptRecord attempt) {
    var cause = attempt.cause();
    return cause != null && cause != EndCause.NEVER_STARTED && cause != EndCause.CANCELLED;
  }

  private void requireRisingAttempts(JobState end) {
    var numbers = end.trail().attempts().stream().map(AttemptRecord::number).toList();
    for (int i = 1; i < numbers.size(); i++) {
      if (numbers.get(i) <= numbers.get(i - 1)) {
        violate("I4 attempts do not rise", numbers + " " + end);
      }
    }
  }

  /// I6 as clients see it: what they were told of an end is still so, unless an operator has opened
  /// the job again.
  private void anEndStaysAnEnd() {
    for (var told : all(History.Told.class)) {
      var then = told.state();
      var now = ends.get(then.id());
      boolean same = now != null && (then.phase().equals(now.phase()) || isReopened(then, now));
      if (!same) {
        violate("I6 an end has changed", then + " became " + now);
      }
    }
  }

  private static boolean isReopened(JobState then, JobState now) {
    return now.trail().reopenings().size() > then.trail().reopenings().size();
  }

  /// I12: once a client was told that a job is cancelled and not abandoned, no handler of it runs
  /// and none is called.
  private void whatIsCancelledHasStopped() {
    var inside = new HashMap<JobId, Integer>();
    var stopped = new HashSet<JobId>();
    for (var entry : entries) {
      switch (entry) {
        case History.Entered(var job, int attempt) -> {
          inside.merge(job, 1, Integer::sum);
          if (stopped.contains(job) && ends.get(job).trail().reopenings().isEmpty()) {
            violate("I12 started after it was cancelled", job + " attempt " + attempt);
          }
        }
        case History.Left(var job, int attempt) -> inside.merge(job, -1, Integer::sum);
        case History.Told(var state) when isStopped(state) -> {
          stopped.add(state.id());
          if (inside.getOrDefault(state.id(), 0) > 0) {
            violate("I12 runs although it was cancelled", state);
          }
        }
        case History.Entry other -> {}
      }
    }
  }

  private static boolean isStopped(JobState state) {
    return state.phase() instanceof Phase.Cancelled cancelled
        && !cancelled.abandoned()
        && state.trail().attempts().stream().noneMatch(AttemptRecord::abandoned);
  }

  private void limitsHold(Map<String, Integer> limits) {
    var used = new HashMap<String, Integer>();
    for (var use : all(History.Used.class)) {
      int now = used.merge(use.queue(), use.change(), Integer::sum);
      if (now > limits.getOrDefault(use.queue(), Integer.MAX_VALUE)) {
        violate("I13 more than the limit of " + use.queue(), now);
      }
    }
  }

  private <T extends History.Entry> List<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private void violate(String invariant, Object what) {
    violations.add(invariant + ": " + what);
  }
}
