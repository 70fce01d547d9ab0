package dev.handoff.internal.breaker;

import dev.handoff.JobError;
import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.BreakerStatus;
import dev.handoff.internal.text.DurationWords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// State of a breaker and its transitions; pure.
///
/// ```
///            failure-threshold in a row, or a rate
/// closed ─────────────────────────────────────────▶ open ◀──────────────────────────┐
///   ▲                                                 │ open-for, ×2 each time      │
///   │ every trial succeeded                           ▼                             │
///   └───────────────────────────────────────────── half open ──a trial failed, ─────┘
///                                                              or expired
/// any ──force open──▶ forced open ──automatic──▶ closed
/// any ──disable─────▶ disabled ─────automatic──▶ closed          any ──reset──▶ closed
/// ```
///
/// Each transition starts a new generation. A permit carries the generation of its grant. A report
/// with an old generation is counted but causes no transition: a late answer from before the
/// opening cannot close the breaker during a running trial. Time and randomness are arguments.
///
/// @param name breaker name
/// @param rule thresholds and durations
record BreakerState(
    String name,
    BreakerRule rule,
    Term term,
    CallPermits permits,
    CallCounts counts,
    CallWindow window,
    BreakerLog memory) {

  /// Limit of outstanding permits.
  static final int MOST_OUT = 100_000;

  /// A generation with its phase.
  record Term(long generation, Instant since, BreakerPhase phase) {}

  /// Answer to a permit request.
  sealed interface Verdict {}

  record Granted(long generation, long number, boolean trial) implements Verdict {}

  record Denied(Instant retryAt, String reason) implements Verdict {}

  record Acquired(BreakerState next, Verdict verdict) {}

  record Reported(BreakerState next, Breaker.Heard heard) {}

  /// @param first first generation and first permit number; random, so that permits of an earlier
  ///   breaker of this name do not match
  static BreakerState fresh(String name, BreakerRule rule, Instant now, long first) {
    return new BreakerState(
        name,
        rule,
        new Term(first, now, new BreakerPhase.Closed()),
        CallPermits.from(first),
        CallCounts.NONE,
        CallWindow.EMPTY,
        BreakerLog.EMPTY);
  }

  BreakerStatus status() {
    return term.phase().status();
  }

  /// Applies the time-dependent transitions and drops lost permits.
  BreakerState at(Instant now, RandomGenerator random) {
    var known = withoutLost(now);
    return switch (term.phase()) {
      case BreakerPhase.Open open when open.isOver(now) ->
          known.enter(
              now, new BreakerPhase.HalfOpen(open.times(), 0, List.of()), "its time is over");
      case BreakerPhase.HalfOpen(int times, int succeeded, var trials)
          when !trials.isEmpty() && trials.getFirst().isOver(now) ->
          known.expired(trials.getFirst(), times, now, random);
      case BreakerPhase.Closed same -> known;
      case BreakerPhase.Open same -> known;
      case BreakerPhase.HalfOpen same -> known;
      case BreakerPhase.ForcedOpen same -> known;
      case BreakerPhase.Disabled same -> known;
    };
  }

  private BreakerState withoutLost(Instant now) {
    var kept = permits.forgetOlderThan(rule.lostAfter(), now);
    int lost = permits.out() - kept.out();
    return lost == 0 ? this : with(kept).with(counts.wereLost(lost));
  }

  private BreakerState expired(
      BreakerPhase.Trial trial, int times, Instant now, RandomGenerator random) {
    var error =
        JobError.of(
            "trial-expired",
            "the trial gave no sign within " + DurationWords.exact(trial.deadline()));
    boolean lost = !permits.isOut(trial.permit());
    var counted = lost ? this : with(permits.takeBack(trial.permit())).with(counts.failed(false));
    return counted
        .with(counted.counts.inARow(counts.consecutive() + 1))
        .with(memory.plus(error, now))
        .open(times + 1, now, random, error.message());
  }

  /// Decides a permit request.
  Acquired acquire(Instant now, RandomGenerator random) {
    var current = at(now, random);
    return switch (current.term.phase()) {
      case BreakerPhase.Closed closed -> current.grant(now);
      case BreakerPhase.Disabled disabled -> current.grant(now);
      case BreakerPhase.HalfOpen half -> current.tryOut(half, now);
      case BreakerPhase.Open open -> current.deny(open.until(), "it is open");
      case BreakerPhase.ForcedOpen forced ->
          current.deny(now.plus(rule.opening().first()), "it was forced open");
    };
  }

  private Acquired grant(Instant now) {
    return permits.out() < MOST_OUT
        ? granted(now, false)
        : deny(now.plusSeconds(1), MOST_OUT + " calls are under way");
  }

  private Acquired tryOut(BreakerPhase.HalfOpen half, Instant now) {
    var trials = half.trials();
    if (half.succeeded() + trials.size() >= rule.trials().calls()) {
      return deny(trials.getFirst().until(), "it is being tried");
    }
    var more = new ArrayList<>(trials);
    more.add(new BreakerPhase.Trial(permits.next(), now, rule.trials().deadline()));
    return with(new BreakerPhase.HalfOpen(half.times(), half.succeeded(), more)).granted(now, true);
  }

  private Acquired granted(Instant now, boolean trial) {
    var verdict = new Granted(term.generation(), permits.next(), trial);
    return new Acquired(with(permits.give(now)).with(counts.called()), verdict);
  }

  private Acquired deny(Instant retryAt, String reason) {
    return new Acquired(with(counts.denied()), new Denied(retryAt, reason));
  }

  /// Applies the report of a permit.
  Reported report(
      long generation, long permit, CallResult result, Instant now, RandomGenerator random) {
    var current = at(now, random);
    if (!current.permits.isOut(permit)) {
      return new Reported(current.with(current.counts.wereLate()), Breaker.Heard.REPEATED);
    }
    var counted = current.with(current.permits.takeBack(permit)).count(result, now);
    return generation == current.term.generation()
        ? new Reported(counted.goOn(permit, result, now, random), Breaker.Heard.COUNTED)
        : new Reported(counted.with(counted.counts.wereLate()), Breaker.Heard.LATE);
  }

  private BreakerState count(CallResult result, Instant now) {
    return switch (result) {
      case CallResult.Success(var took) -> with(counts.succeeded(rule.isSlow(took)));
      case CallResult.Failure(var error, var took) ->
          with(counts.failed(rule.isSlow(took))).with(memory.plus(error, now));
      case CallResult.Nothing none -> with(counts.wereReleased());
    };
  }

  private BreakerState goOn(long permit, CallResult result, Instant now, RandomGenerator random) {
    var run =
        switch (result) {
          case CallResult.Success good -> with(counts.inARow(0));
          case CallResult.Failure bad -> with(counts.inARow(counts.consecutive() + 1));
          case CallResult.Nothing none -> this;
        };
    return switch (term.phase()) {
      case BreakerPhase.Closed closed -> run.whileClosed(result, now, random);
      case BreakerPhase.HalfOpen half -> run.afterTrial(half, permit, result, now, random);
      case BreakerPhase.Disabled disabled -> run;
      case BreakerPhase.Open none -> run;
      case BreakerPhase.ForcedOpen none -> run;
    };
  }

  private BreakerState whileClosed(CallResult result, Instant now, RandomGenerator random) {
    var looked =
        switch (result) {
          case CallResult.Success(var took) ->
              with(window.plus(rule.rates(), now, false, rule.isSlow(took)));
          case CallResult.Failure(var error, var took) ->
              with(window.plus(rule.rates(), now, true, rule.isSlow(took)));
          case CallResult.Nothing none -> this;
        };
    if (counts.consecutive() >= rule.failureThreshold()) {
      return looked.open(1, now, random, counts.consecutive() + " failures in a row");
    }
    return looked
        .window
        .complaint(rule.rates())
        .map(complaint -> looked.open(1, now, random, complaint))
        .orElse(looked);
  }

  private BreakerState afterTrial(
      BreakerPhase.HalfOpen half,
      long permit,
      CallResult result,
      Instant now,
      RandomGenerator random) {
    var left = half.trials().stream().filter(trial -> trial.permit() != permit).toList();
    int times = half.times();
    return switch (result) {
      case CallResult.Success(var took) when rule.rates().slow() > 0 && rule.isSlow(took) ->
          open(times + 1, now, random, "the trial was slow");
      case CallResult.Success good when half.succeeded() + 1 >= rule.trials().calls() ->
          enter(now, new BreakerPhase.Closed(), "the trial succeeded");
      case CallResult.Success good ->
          with(new BreakerPhase.HalfOpen(times, half.succeeded() + 1, left));
      case CallResult.Failure bad -> open(times + 1, now, random, "the trial failed");
      case CallResult.Nothing none ->
          with(new BreakerPhase.HalfOpen(times, half.succeeded(), left));
    };
  }

  /// Applies an operator's order. Every order is idempotent.
  BreakerState steer(Breaker.Order order, Instant now, RandomGenerator random) {
    var current = at(now, random);
    boolean steered =
        switch (current.status()) {
          case FORCED_OPEN, DISABLED -> true;
          case CLOSED, OPEN, HALF_OPEN -> false;
        };
    return switch (order) {
      case LOOK -> current;
      case RESET -> current.closed(now, "it was reset");
      case FORCE_OPEN -> current.enter(now, new BreakerPhase.ForcedOpen(), "it was forced open");
      case DISABLE -> current.enter(now, new BreakerPhase.Disabled(), "it was disabled");
      case AUTOMATIC -> steered ? current.closed(now, "it is automatic again") : current;
    };
  }

  private BreakerState closed(Instant now, String cause) {
    return with(counts.inARow(0)).enter(now, new BreakerPhase.Closed(), cause);
  }

  private BreakerState open(int times, Instant now, RandomGenerator random, String cause) {
    var until = now.plus(rule.opening().after(times, random));
    return enter(now, new BreakerPhase.Open(now, until, times), cause);
  }

  /// Starts a new generation, even if the status stays equal.
  private BreakerState enter(Instant now, BreakerPhase phase, String cause) {
    long generation = term.generation() + 1;
    boolean same = phase.status() == status();
    var since = same ? term.since() : now;
    var change = new BreakerChange(name, generation, now, status(), phase.status(), cause);
    return new BreakerState(
        name,
        rule,
        new Term(generation, since, phase),
        permits,
        counts,
        CallWindow.EMPTY,
        same ? memory : memory.plus(change));
  }

  /// Time of the next time-dependent transition; null if the phase has none.
  @Nullable Instant due() {
    return switch (term.phase()) {
      case BreakerPhase.Open open -> open.until();
      case BreakerPhase.HalfOpen half ->
          half.trials().isEmpty() ? null : half.trials().getFirst().until();
      case BreakerPhase.Closed never -> null;
      case BreakerPhase.ForcedOpen never -> null;
      case BreakerPhase.Disabled never -> null;
    };
  }

  /// Whether the breaker may be removed: closed, no outstanding permits. A recreated breaker lacks
  /// only the counters.
  boolean isIdle() {
    return term.phase() instanceof BreakerPhase.Closed && permits.out() == 0;
  }

  BreakerInfo info() {
    var retryAt = term.phase() instanceof BreakerPhase.Open open ? open.until() : null;
    return new BreakerInfo(
        name,
        status(),
        term.since(),
        retryAt,
        permits.out(),
        counts.info(),
        memory.errors(),
        memory.changes());
  }

  private BreakerState with(BreakerPhase phase) {
    var same = new Term(term.generation(), term.since(), phase);
    return new BreakerState(name, rule, same, permits, counts, window, memory);
  }

  private BreakerState with(CallPermits next) {
    return new BreakerState(name, rule, term, next, counts, window, memory);
  }

  private BreakerState with(CallCounts next) {
    return new BreakerState(name, rule, term, permits, next, window, memory);
  }

  private BreakerState with(CallWindow next) {
    return new BreakerState(name, rule, term, permits, counts, next, memory);
  }

  private BreakerState with(BreakerLog next) {
    return new BreakerState(name, rule, term, permits, counts, window, next);
  }
}
