package dev.handoff.context.breaker;

import dev.handoff.actor.DurationWords;
import dev.handoff.job.JobError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All there is to know of a breaker, and what follows from what it is told.
///
/// ```
///            failure-threshold in a row, or a rate
/// closed ─────────────────────────────────────────▶ open ◀──────────────────────────┐
///   ▲                                                 │ open-for, ×2 each time      │
///   │ every trial succeeded                           ▼                             │
///   └───────────────────────────────────────────── half open ──a trial failed, or ──┘
///                                                              gave no sign in time
/// any ──force open──▶ forced open ──automatic──▶ closed
/// any ──disable─────▶ disabled ─────automatic──▶ closed          any ──reset──▶ closed
/// ```
///
/// Each change of state begins a new generation. A permit carries the generation that it was given
/// in, and what is reported of a former one is counted and moves nothing: an answer from before the
/// opening cannot close the breaker under a running trial. Time and chance are told.
///
/// @param name what is guarded
/// @param rule what it goes by
record BreakerState(
    String name,
    BreakerRule rule,
    Term term,
    Permits permits,
    BreakerCounts counts,
    Window window,
    Memory memory) {

  /// More permits than this are not out at once.
  static final int MOST_OUT = 100_000;

  /// A generation.
  record Term(long generation, Instant since, Phase phase) {}

  /// What a question for a permit is answered with.
  sealed interface Verdict {}

  record Granted(long generation, long number, boolean trial) implements Verdict {}

  record Denied(Instant retryAt, String reason) implements Verdict {}

  record Acquired(BreakerState next, Verdict verdict) {}

  record Reported(BreakerState next, Breaker.Heard heard) {}

  /// @param first the first generation, and the first number of a permit: unlike those of an
  ///   earlier breaker of that name
  static BreakerState fresh(String name, BreakerRule rule, Instant now, long first) {
    return new BreakerState(
        name,
        rule,
        new Term(first, now, new Phase.Closed()),
        Permits.from(first),
        BreakerCounts.NONE,
        Window.EMPTY,
        Memory.EMPTY);
  }

  BreakerStatus status() {
    return term.phase().status();
  }

  /// What time has made of it.
  BreakerState at(Instant now, RandomGenerator random) {
    var known = withoutLost(now);
    return switch (term.phase()) {
      case Phase.Open open when open.isOver(now) ->
          known.enter(now, new Phase.HalfOpen(open.times(), 0, List.of()), "its time is over");
      case Phase.HalfOpen(int times, int succeeded, var trials)
          when !trials.isEmpty() && trials.getFirst().isOver(now) ->
          known.expired(trials.getFirst(), times, now, random);
      case Phase.Closed same -> known;
      case Phase.Open same -> known;
      case Phase.HalfOpen same -> known;
      case Phase.ForcedOpen same -> known;
      case Phase.Disabled same -> known;
    };
  }

  private BreakerState withoutLost(Instant now) {
    var kept = permits.forgetOlderThan(rule.lostAfter(), now);
    int lost = permits.out() - kept.out();
    return lost == 0 ? this : with(kept).with(counts.wereLost(lost));
  }

  private BreakerState expired(Phase.Trial trial, int times, Instant now, RandomGenerator random) {
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

  /// Somebody wants to call.
  Acquired acquire(Instant now, RandomGenerator random) {
    var current = at(now, random);
    return switch (current.term.phase()) {
      case Phase.Closed closed -> current.grant(now);
      case Phase.Disabled disabled -> current.grant(now);
      case Phase.HalfOpen half -> current.tryOut(half, now);
      case Phase.Open open -> current.deny(open.until(), "it is open");
      case Phase.ForcedOpen forced ->
          current.deny(now.plus(rule.opening().first()), "it was forced open");
    };
  }

  private Acquired grant(Instant now) {
    return permits.out() < MOST_OUT
        ? granted(now, false)
        : deny(now.plusSeconds(1), MOST_OUT + " calls are under way");
  }

  private Acquired tryOut(Phase.HalfOpen half, Instant now) {
    var trials = half.trials();
    if (half.succeeded() + trials.size() >= rule.trials().calls()) {
      return deny(trials.getFirst().until(), "it is being tried");
    }
    var more = new ArrayList<>(trials);
    more.add(new Phase.Trial(permits.next(), now, rule.trials().deadline()));
    return with(new Phase.HalfOpen(half.times(), half.succeeded(), more)).granted(now, true);
  }

  private Acquired granted(Instant now, boolean trial) {
    var verdict = new Granted(term.generation(), permits.next(), trial);
    return new Acquired(with(permits.give(now)).with(counts.called()), verdict);
  }

  private Acquired deny(Instant retryAt, String reason) {
    return new Acquired(with(counts.denied()), new Denied(retryAt, reason));
  }

  /// A permit comes back.
  Reported report(
      long generation, long permit, Result result, Instant now, RandomGenerator random) {
    var current = at(now, random);
    if (!current.permits.isOut(permit)) {
      return new Reported(current.with(current.counts.wereLate()), Breaker.Heard.REPEATED);
    }
    var counted = current.with(current.permits.takeBack(permit)).count(result, now);
    return generation == current.term.generation()
        ? new Reported(counted.goOn(permit, result, now, random), Breaker.Heard.COUNTED)
        : new Reported(counted.with(counted.counts.wereLate()), Breaker.Heard.LATE);
  }

  private BreakerState count(Result result, Instant now) {
    return switch (result) {
      case Result.Success(var took) -> with(counts.succeeded(rule.isSlow(took)));
      case Result.Failure(var error, var took) ->
          with(counts.failed(rule.isSlow(took))).with(memory.plus(error, now));
      case Result.Nothing none -> with(counts.wereReleased());
    };
  }

  private BreakerState goOn(long permit, Result result, Instant now, RandomGenerator random) {
    var run =
        switch (result) {
          case Result.Success good -> with(counts.inARow(0));
          case Result.Failure bad -> with(counts.inARow(counts.consecutive() + 1));
          case Result.Nothing none -> this;
        };
    return switch (term.phase()) {
      case Phase.Closed closed -> run.whileClosed(result, now, random);
      case Phase.HalfOpen half -> run.afterTrial(half, permit, result, now, random);
      case Phase.Disabled disabled -> run;
      case Phase.Open none -> run;
      case Phase.ForcedOpen none -> run;
    };
  }

  private BreakerState whileClosed(Result result, Instant now, RandomGenerator random) {
    var looked =
        switch (result) {
          case Result.Success(var took) ->
              with(window.plus(rule.rates(), now, false, rule.isSlow(took)));
          case Result.Failure(var error, var took) ->
              with(window.plus(rule.rates(), now, true, rule.isSlow(took)));
          case Result.Nothing none -> this;
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
      Phase.HalfOpen half, long permit, Result result, Instant now, RandomGenerator random) {
    var left = half.trials().stream().filter(trial -> trial.permit() != permit).toList();
    int times = half.times();
    return switch (result) {
      case Result.Success(var took) when rule.rates().slow() > 0 && rule.isSlow(took) ->
          open(times + 1, now, random, "the trial was slow");
      case Result.Success good when half.succeeded() + 1 >= rule.trials().calls() ->
          enter(now, new Phase.Closed(), "the trial succeeded");
      case Result.Success good -> with(new Phase.HalfOpen(times, half.succeeded() + 1, left));
      case Result.Failure bad -> open(times + 1, now, random, "the trial failed");
      case Result.Nothing none -> with(new Phase.HalfOpen(times, half.succeeded(), left));
    };
  }

  /// Somebody asks for it. All of it is idempotent.
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
      case FORCE_OPEN -> current.enter(now, new Phase.ForcedOpen(), "it was forced open");
      case DISABLE -> current.enter(now, new Phase.Disabled(), "it was disabled");
      case AUTOMATIC -> steered ? current.closed(now, "it is automatic again") : current;
    };
  }

  private BreakerState closed(Instant now, String cause) {
    return with(counts.inARow(0)).enter(now, new Phase.Closed(), cause);
  }

  private BreakerState open(int times, Instant now, RandomGenerator random, String cause) {
    var until = now.plus(rule.opening().after(times, random));
    return enter(now, new Phase.Open(now, until, times), cause);
  }

  /// A new generation, also if it looks like the one before.
  private BreakerState enter(Instant now, Phase phase, String cause) {
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
        Window.EMPTY,
        same ? memory : memory.plus(change));
  }

  /// When time alone may change it; null if it never does.
  @Nullable Instant due() {
    return switch (term.phase()) {
      case Phase.Open open -> open.until();
      case Phase.HalfOpen half -> half.trials().isEmpty() ? null : half.trials().getFirst().until();
      case Phase.Closed never -> null;
      case Phase.ForcedOpen never -> null;
      case Phase.Disabled never -> null;
    };
  }

  /// Whether it may be made anew: nothing is lost then but what it has counted.
  boolean isIdle() {
    return term.phase() instanceof Phase.Closed && permits.out() == 0;
  }

  BreakerInfo info() {
    var retryAt = term.phase() instanceof Phase.Open open ? open.until() : null;
    return new BreakerInfo(
        name,
        status(),
        term.since(),
        retryAt,
        permits.out(),
        counts,
        memory.errors(),
        memory.changes());
  }

  private BreakerState with(Phase phase) {
    var same = new Term(term.generation(), term.since(), phase);
    return new BreakerState(name, rule, same, permits, counts, window, memory);
  }

  private BreakerState with(Permits next) {
    return new BreakerState(name, rule, term, next, counts, window, memory);
  }

  private BreakerState with(BreakerCounts next) {
    return new BreakerState(name, rule, term, permits, next, window, memory);
  }

  private BreakerState with(Window next) {
    return new BreakerState(name, rule, term, permits, counts, next, memory);
  }

  private BreakerState with(Memory next) {
    return new BreakerState(name, rule, term, permits, counts, window, next);
  }
}
