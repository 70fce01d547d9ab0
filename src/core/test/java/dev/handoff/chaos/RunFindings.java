package dev.handoff.chaos;

import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.chaos.ClientJournal.Line;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.ObservedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Checks the [RunEvidence] of a chaos run: all [HistoryInvariants], and properties that need
/// several processes.
///
/// | | |
/// |---|---|
/// | I6 | a reported end agrees with the store |
/// | I8 | no handler was called without a claim in the ledger |
/// | I12 | a job reported as cancelled is cancelled |
/// | I15 | every job has ended, and a client has seen all workers idle |
final class RunFindings {

  /// End causes after which a handler can still run, although its job knows the attempt's end. Such
  /// handlers do not count for limits.
  private static final Set<EndCause> GIVEN_UP =
      EnumSet.of(EndCause.TIMED_OUT, EndCause.HEARTBEAT_LOST, EndCause.WORKER_LOST);

  private final RunEvidence evidence;
  private final Map<String, Integer> limits;
  private final boolean outlived;
  private final ObservedHistory history = new ObservedHistory();
  private final Map<String, Line> running = new HashMap<>();
  private final Set<String> counted = new HashSet<>();
  private final Set<Long> processes = new HashSet<>();
  private final List<String> violations = new ArrayList<>();

  private RunFindings(RunEvidence evidence, Map<String, Integer> limits, boolean outlived) {
    this.evidence = evidence;
    this.limits = limits;
    this.outlived = outlived;
  }

  /// Violations in words; each begins with the number of its invariant.
  static List<String> violations(RunEvidence evidence) {
    return violations(evidence, Map.of(ChaosJobs.NARROW_QUEUE, ChaosJobs.NARROW_LIMIT), false);
  }

  /// @param limits limits of queues that held during the whole run
  /// @param outlived whether handlers can outlive their attempts; such handlers do not count for
  ///   limits
  static List<String> violations(
      RunEvidence evidence, Map<String, Integer> limits, boolean outlived) {
    var findings = new RunFindings(evidence, limits, outlived);
    findings.tellFacts();
    findings.tellSubmissions();
    evidence.journal().forEach(findings::tell);
    findings.end();
    findings.violations.addAll(
        new HistoryInvariants(findings.history, evidence.jobs().values()).violations(limits));
    return findings.violations;
  }

  private void require(boolean holds, String violation, Object... details) {
    if (!holds) {
      violations.add(violation.formatted(details));
    }
  }

  /// Adds the facts first: the journal and the ledger have no common order.
  private void tellFacts() {
    evidence.facts().forEach((id, facts) -> facts.forEach(fact -> history.written(id, fact)));
  }

  private void tellSubmissions() {
    var specs =
        evidence.jobs().values().stream()
            .map(JobState::spec)
            .filter(spec -> spec.origin() == null)
            .collect(Collectors.toMap(RunFindings::token, spec -> spec, (one, two) -> one));
    Set<String> accepted = new HashSet<>();
    for (var line : evidence.journal()) {
      if (line.what() == What.ACCEPTED) {
        accepted.add(line.word(0));
        var spec = specs.get(line.word(0));
        require(spec != null, "I1: %s, and is not there", line);
        if (spec != null) {
          history.accepted(new JobId(line.word(1)), spec);
        }
      }
    }
    evidence.journal().stream()
        .filter(line -> line.what() == What.TRY && !accepted.contains(line.word(0)))
        .map(line -> specs.get(line.word(0)))
        .filter(Objects::nonNull)
        .forEach(history::unanswered);
  }

  /// Name of a job in the journal: its payload, which equals its key if it has one.
  private static String token(JobSpec spec) {
    return spec.payload().toString().replace("\"", "");
  }

  private void tell(Line line) {
    if (processes.add(line.pid())) {
      ofTheDead(line.pid());
    }
    switch (line.what()) {
      case BEGIN -> begin(line);
      case END -> end(line);
      case CANCELLED -> cancelled(line);
      case ENDED -> ended(line);
      case PARKED -> give(line);
      case RESUMED -> take(line);
      case WRONG -> violations.add(String.join(" ", line.words()));
      case UP, TRY, ACCEPTED, UNAVAILABLE, DOWN, IDLE, CLOSED -> {}
      case FAULT, RULE, SILENT, NOT_STARTED -> {}
      // Lines about plans are checked by [PlanFindings].
      case PLAN_TRY, PLAN_ACCEPTED, PLAN_CANCELLED, PLAN_RETRY, PLAN_ENDED -> {}
      case CHANGE, RESOLVED, SITE, APPLY, APPLY_ANSWER, FOUND -> {}
    }
  }

  /// Ends all handlers of dead processes. The journal's new process owns the store, and works
  /// before its `UP` line.
  private void ofTheDead(long living) {
    running.values().stream()
        .filter(begun -> begun.pid() != living)
        .sorted(Comparator.comparing(Line::toString))
        .toList()
        .forEach(this::end);
  }

  private void begin(Line line) {
    var job = new JobId(line.word(0));
    int attempt = Integer.parseInt(line.word(1));
    require(isClaimed(job, attempt), "I8: %s, which no claim allows", line);
    history.entered(job, attempt);
    running.put(run(line), line);
    take(line);
  }

  private static String run(Line line) {
    return line.word(0) + ":" + line.word(1);
  }

  /// Counts a handler that takes a slot of a limited queue.
  private void take(Line line) {
    var begun = running.get(run(line));
    if (begun != null
        && limits.containsKey(begun.word(2))
        && !(outlived && isGivenUp(begun))
        && counted.add(run(line))) {
      history.took(begun.word(2));
    }
  }

  private void give(Line line) {
    if (counted.remove(run(line))) {
      history.gave(running.get(run(line)).word(2));
    }
  }

  private boolean isGivenUp(Line begun) {
    var job = evidence.jobs().get(new JobId(begun.word(0)));
    int attempt = Integer.parseInt(begun.word(1));
    return job == null
        || job.trail().attempts().stream()
            .filter(record -> record.number() == attempt)
            .anyMatch(record -> record.abandoned() || GIVEN_UP.contains(record.cause()));
  }

  private void end(Line line) {
    if (running.containsKey(run(line))) {
      history.left(new JobId(line.word(0)), Integer.parseInt(line.word(1)));
      give(line);
      running.remove(run(line));
    }
  }

  private boolean isClaimed(JobId job, int attempt) {
    return evidence.facts().isEmpty()
        || evidence.facts().getOrDefault(job, List.of()).stream()
            .anyMatch(fact -> fact instanceof JobFact.Claimed c && c.attempt() == attempt);
  }

  private void cancelled(Line line) {
    var job = evidence.jobs().get(new JobId(line.word(0)));
    boolean cancelled = job != null && job.status(Instant.now()) == JobStatus.CANCELLED;
    require(cancelled || isReopened(job), "I12: %s, and then %s", line, job);
    if (cancelled && !isReopened(job)) {
      history.told(job);
    }
  }

  private static boolean isReopened(@Nullable JobState job) {
    return job != null && !job.trail().reopenings().isEmpty();
  }

  private void ended(Line line) {
    var job = evidence.jobs().get(new JobId(line.word(0)));
    boolean same =
        job != null
            && job.status(Instant.now()).label().equals(line.word(1))
            && job.attempt() == Integer.parseInt(line.word(2));
    boolean forEver = line.word(1).equals(JobStatus.SUCCEEDED.label());
    require(same || !forEver && isReopened(job), "I6: %s, and then %s", line, job);
  }

  private void end() {
    require(evidence.count(What.IDLE) > 0, "I15: nobody has seen everything idle");
    evidence.jobs().values().forEach(job -> require(job.ended(), "I15: %s has not ended", job));
  }
}
