package dev.handoff.chaos;

import dev.handoff.chaos.Journal.Line;
import dev.handoff.chaos.Journal.What;
import dev.handoff.job.EndCause;
import dev.handoff.job.JobChecker;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What must hold after everything has come to its end, whatever happened on the way. Offline: looks
/// at nothing but the [Evidence].
///
/// | | |
/// |---|---|
/// | I1 | what was accepted has ended, and is in the store |
/// | I2 | nothing is there that nobody submitted |
/// | I3 | one key, one job |
/// | I4–I7, I9, I12 | the facts of each job may follow each other ([JobChecker]) |
/// | I8 | a handler is called once for each attempt, after its claim, and again for a recorded cause only |
/// | I9 | with one attempt allowed, once |
/// | I12 | once a cancel is reported, the handler has ended and is not called again |
/// | I13 | limits of queues hold |
/// | I15 | nobody is busy at the end |
final class Invariants {

  private final Evidence evidence;
  private final List<String> violations = new ArrayList<>();

  private Invariants(Evidence evidence) {
    this.evidence = evidence;
  }

  /// Everything that does not hold, in words that begin with its number.
  static List<String> violations(Evidence evidence) {
    var invariants = new Invariants(evidence);
    invariants.submissions();
    invariants.ledger();
    invariants.calls();
    invariants.cancels();
    invariants.limits();
    invariants.end();
    return invariants.violations;
  }

  private void require(boolean holds, String violation, Object... details) {
    if (!holds) {
      violations.add(violation.formatted(details));
    }
  }

  private void submissions() {
    var tried = new HashSet<String>();
    var ids = new HashMap<String, String>();
    for (var line : evidence.journal()) {
      if (line.what() == What.TRY) {
        tried.add(line.word(0));
      } else if (line.what() == What.ACCEPTED) {
        var before = ids.put(line.word(0), line.word(1));
        require(before == null || before.equals(line.word(1)), "I3: %s has two jobs", line);
        var job = evidence.jobs().get(new JobId(line.word(1)));
        require(job != null && job.ended(), "I1: %s was accepted, and is %s", line, job);
      } else if (line.what() == What.ENDED) {
        var job = evidence.jobs().get(new JobId(line.word(0)));
        require(job != null && isAsToldBy(line, job), "I6: %s, and then %s", line, job);
      }
    }
    var keys = new HashSet<String>();
    for (var job : evidence.jobs().values()) {
      require(tried.contains(job.spec().key()), "I2: nobody submitted %s", job.spec().key());
      require(keys.add(job.spec().key()), "I3: two jobs have the key %s", job.spec().key());
    }
  }

  private static boolean isAsToldBy(Line ended, JobState job) {
    return job.status(Instant.now()).label().equals(ended.word(1))
        && job.attempt() == Integer.parseInt(ended.word(2));
  }

  private void ledger() {
    evidence
        .facts()
        .forEach(
            (id, facts) -> {
              try {
                var checker = JobChecker.NEW;
                for (var fact : facts) {
                  checker = checker.next(fact);
                }
                require(evidence.jobs().containsKey(id), "I1: %s is in the ledger alone", id);
              } catch (JobChecker.Violation violation) {
                violations.add(violation.getMessage() + " of " + id + ": " + facts);
              }
            });
  }

  private void calls() {
    var calls = new TreeMap<String, Integer>();
    var attempts = new HashSet<String>();
    for (var line : evidence.journal()) {
      if (line.what() == What.BEGIN) {
        calls.merge(line.word(0), 1, Integer::sum);
        require(attempts.add(line.word(0) + ":" + line.word(1)), "I8: %s, twice", line);
        require(isClaimed(line), "I8: %s, which no claim allows", line);
      }
    }
    calls.forEach(
        (id, count) -> {
          var job = evidence.jobs().get(new JobId(id));
          if (job != null) {
            require(count <= 1 + causes(job), "I8: %d calls of %s", count, job);
            require(count == 1 || job.spec().options().maxAttempts() > 1, "I9: %s", job);
          }
        });
  }

  private boolean isClaimed(Line begin) {
    var facts = evidence.facts().get(new JobId(begin.word(0)));
    int attempt = Integer.parseInt(begin.word(1));
    return evidence.facts().isEmpty()
        || facts != null
            && facts.stream()
                .anyMatch(fact -> fact instanceof JobFact.Claimed c && c.attempt() == attempt);
  }

  private static long causes(JobState job) {
    var recorded =
        Set.of(
            EndCause.FAILED,
            EndCause.TIMED_OUT,
            EndCause.HEARTBEAT_LOST,
            EndCause.WORKER_LOST,
            EndCause.SHUTDOWN);
    return job.trail().reopenings().size()
        + job.trail().attempts().stream()
            .filter(attempt -> attempt.cause() != null && recorded.contains(attempt.cause()))
            .count();
  }

  private void cancels() {
    var open = new HashMap<String, Long>();
    var over = new HashSet<String>();
    for (var line : evidence.journal()) {
      switch (line.what()) {
        case BEGIN -> {
          require(!over.contains(line.word(0)), "I12: %s, and it was cancelled before", line);
          open.put(line.word(0), line.pid());
        }
        case END -> open.remove(line.word(0));
        case CANCELLED -> {
          over.add(line.word(0));
          var holder = open.get(line.word(0));
          require(
              holder == null || holder != line.pid(), "I12: %s, and its handler runs on", line);
          var job = evidence.jobs().get(new JobId(line.word(0)));
          boolean cancelled =
              job != null && job.status(Instant.now()).label().equals("cancelled");
          require(cancelled, "I12: %s, and then %s", line, job);
        }
        case UP, TRY, ACCEPTED, UNAVAILABLE, ENDED, DOWN, IDLE, CLOSED -> {}
      }
    }
  }

  private void limits() {
    Map<Long, Set<String>> running = new HashMap<>();
    for (var line : evidence.journal()) {
      var mine = running.computeIfAbsent(line.pid(), none -> new HashSet<>());
      if (line.what() == What.BEGIN && line.word(2).equals(Work.NARROW_QUEUE)) {
        mine.add(line.word(0));
        require(mine.size() <= Work.NARROW_LIMIT, "I13: %s, beside %s", line, mine);
      } else if (line.what() == What.END) {
        mine.remove(line.word(0));
      }
    }
  }

  private void end() {
    require(evidence.count(What.IDLE) > 0, "I15: nobody has seen everything idle");
    evidence
        .jobs()
        .values()
        .forEach(job -> require(job.ended(), "I15: %s has not ended", job));
  }
}
