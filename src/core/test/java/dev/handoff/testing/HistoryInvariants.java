package dev.handoff.testing;

import dev.handoff.JobId;
import dev.handoff.internal.job.AttemptRecord;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobChecker;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks a [ObservedHistory] for violations of the engine's invariants, after all faults have
/// ended. Each check names its invariant. Facts are checked only if the history contains them, the
/// rest always.
public final class HistoryInvariants {

  private final List<ObservedHistory.Entry> entries;
  private final Map<JobId, JobState> ends = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();

  /// @param ends final states of all jobs, live or in history
  public HistoryInvariants(ObservedHistory history, Collection<JobState> ends) {
    this.entries = history.entries();
    ends.forEach(
        state -> {
          if (this.ends.putIfAbsent(state.id(), state) != null) {
            violate("I3 an id is there twice", state);
          }
        });
  }

  /// Checks all invariants that need no queue limits.
  ///
  /// @throws AssertionError with every violation
  public static void check(ObservedHistory history, Collection<JobState> ends) {
    check(history, ends, Map.of());
  }

  /// @param limits maximum concurrent use of each queue
  /// @throws AssertionError with every violation
  public static void check(
      ObservedHistory history, Collection<JobState> ends, Map<String, Integer> limits) {
    var found = new HistoryInvariants(history, ends).violations(limits);
    if (!found.isEmpty()) {
      throw new AssertionError(
          found.size() + " violations:\n" + String.join("\n", found.subList(0, first(found))));
    }
  }

  private static int first(List<String> found) {
    return Math.min(20, found.size());
  }

  /// Violations in words; empty if all invariants hold.
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
    for (var accepted : all(ObservedHistory.Accepted.class)) {
      var end = ends.get(accepted.job());
      if (end == null || !end.ended()) {
        violate("I1 an accepted job has no end", accepted.job() + " " + end);
      }
    }
  }

  private void nothingAppears() {
    var known = new HashSet<JobId>();
    all(ObservedHistory.Accepted.class).forEach(accepted -> known.add(accepted.job()));
    ends.values().forEach(end -> end.trail().children().forEach(child -> known.add(child.id())));
    var unanswered =
        all(ObservedHistory.Unanswered.class).stream()
            .map(ObservedHistory.Unanswered::spec)
            .toList();
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
    all(ObservedHistory.Accepted.class).forEach(one -> hold(holders, one.spec(), one.job()));
  }

  private void hold(Map<String, JobId> holders, JobSpec spec, JobId job) {
    var key = spec.uniqueKey();
    var before = key == null ? null : holders.putIfAbsent(key, job);
    if (before != null && !before.equals(job)) {
      violate("I3 two jobs have the key " + key, before + " and " + job);
    }
  }

  /// Checks I4 to I9 and I12 with a second, independent implementation of a job's rules. Stops at a
  /// job's first violation, since later ones are consequences.
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

  private static void follow(
      ObservedHistory.Entry entry, JobId job, Map<JobId, JobChecker> checkers) {
    if (entry instanceof ObservedHistory.Written(var of, var fact)) {
      checkers.put(job, checkers.getOrDefault(job, JobChecker.NEW).next(fact));
    } else if (entry instanceof ObservedHistory.Entered) {
      checkers.computeIfPresent(job, (same, checker) -> checker.called());
    }
  }

  private static @Nullable JobId jobOf(ObservedHistory.Entry entry) {
    return switch (entry) {
      case ObservedHistory.Written written -> written.job();
      case ObservedHistory.Entered entered -> entered.job();
      case ObservedHistory.Entry other -> null;
    };
  }

  /// Checks I8 and I9 against the job's own record: each attempt starts at most once, and each
  /// attempt but the last has a recorded end that causes another attempt.
  private void everyStartHasACause() {
    var starts = new HashMap<JobId, List<Integer>>();
    all(ObservedHistory.Entered.class)
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
        end.trail().attempts().stream().filter(HistoryInvariants::asksForAnother).count()
            + reopenings;
    if (starts > 1 + causes) {
      violate("I8 %d starts for %d causes".formatted(starts, causes), end);
    }
    long own = end.trail().attempts().stream().filter(HistoryInvariants::isByItsHandler).count();
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

  /// Checks I6 from the clients' view: a reported end still holds, unless an operator has reopened
  /// the job.
  private void anEndStaysAnEnd() {
    for (var told : all(ObservedHistory.Told.class)) {
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

  /// Checks I12: after the report that a job is cancelled and not abandoned, no handler of that job
  /// runs or starts.
  private void whatIsCancelledHasStopped() {
    var inside = new HashMap<JobId, Integer>();
    var stopped = new HashSet<JobId>();
    for (var entry : entries) {
      switch (entry) {
        case ObservedHistory.Entered(var job, int attempt) -> {
          inside.merge(job, 1, Integer::sum);
          if (stopped.contains(job) && ends.get(job).trail().reopenings().isEmpty()) {
            violate("I12 started after it was cancelled", job + " attempt " + attempt);
          }
        }
        case ObservedHistory.Left(var job, int attempt) -> inside.merge(job, -1, Integer::sum);
        case ObservedHistory.Told(var state) when isStopped(state) -> {
          stopped.add(state.id());
          if (inside.getOrDefault(state.id(), 0) > 0) {
            violate("I12 runs although it was cancelled", state);
          }
        }
        case ObservedHistory.Entry other -> {}
      }
    }
  }

  private static boolean isStopped(JobState state) {
    return state.phase() instanceof JobPhase.Cancelled cancelled
        && !cancelled.abandoned()
        && state.trail().attempts().stream().noneMatch(AttemptRecord::abandoned);
  }

  private void limitsHold(Map<String, Integer> limits) {
    var used = new HashMap<String, Integer>();
    for (var use : all(ObservedHistory.Used.class)) {
      int now = used.merge(use.queue(), use.change(), Integer::sum);
      if (now > limits.getOrDefault(use.queue(), Integer.MAX_VALUE)) {
        violate("I13 more than the limit of " + use.queue(), now);
      }
    }
  }

  private <T extends ObservedHistory.Entry> List<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private void violate(String invariant, Object what) {
    violations.add(invariant + ": " + what);
  }
}
