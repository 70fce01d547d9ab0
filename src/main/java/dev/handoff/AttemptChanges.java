package dev.handoff;

import dev.handoff.dispatch.Attempt;
import dev.handoff.job.Contribution;
import dev.handoff.job.Text;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.change.BodyCodec;
import dev.handoff.plan.change.Decided;
import dev.handoff.plan.change.SetBody;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What an attempt of a step changes and decides. It is nothing to anybody until the attempt has
/// succeeded: the fact that says so names it.
///
/// Contents go to the store at once. A change has its place in the order in which it was recorded,
/// also if the contents of a later one are there before.
final class AttemptChanges implements PlanChanges {

  private static final int MOST_DECISIONS = 20;
  private static final int LONGEST_DECISION = 1_024;
  private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(2);

  private final Attempt attempt;
  private final AttemptPlan plan;
  private final InstantSource clock;
  private final ChangeLine line;
  private final Queue<Decided> decisions = new ConcurrentLinkedQueue<>();
  private volatile @Nullable String spoilt;
  private final AtomicReference<@Nullable PlanId> root = new AtomicReference<>();

  AttemptChanges(Attempt attempt, AttemptPlan plan, InstantSource clock) {
    this.attempt = attempt;
    this.plan = plan;
    this.clock = clock;
    this.line = new ChangeLine(attempt.job() + ":" + attempt.number(), clock, this::over);
  }

  /// Why nothing can be recorded any more; null while it can.
  private @Nullable String over() {
    return attempt.cancellation().isCancelled()
        ? "attempt %d of job %s is over for the engine: its changes are dropped"
            .formatted(attempt.number(), attempt.job())
        : null;
  }

  @Override
  public CompletionStage<ChangeAnswer> record(List<Change> changes) {
    Objects.requireNonNull(changes, "changes");
    attempt.heartbeat();
    var copy = List.copyOf(changes);
    var problem = ChangeRules.problem(copy);
    if (over() != null) {
      return line.add(refused(new ChangeAnswer.Refused(over())));
    }
    if (problem.isPresent()) {
      return line.add(refused(new ChangeAnswer.Invalid(problem.get())));
    }
    if (line.isFull(copy.stream().map(Change::path).toList())) {
      return line.add(refused(line.full()));
    }
    var packed = PackedChanges.of(copy);
    return line.add(keep(packed).toCompletableFuture());
  }

  private static CompletableFuture<ContentKeeper.Kept> refused(ChangeAnswer answer) {
    return CompletableFuture.completedFuture(new ContentKeeper.NotKept(answer));
  }

  private CompletionStage<ContentKeeper.Kept> keep(PackedChanges packed) {
    return root()
        .thenCombine(plan.inside(), (owner, inside) -> ContentKeeper.of(inside).keep(owner, packed))
        .thenCompose(kept -> kept)
        .exceptionally(
            failure ->
                new ContentKeeper.NotKept(
                    new ChangeAnswer.Unavailable(
                        UnavailableException.of(failure).getMessage(), Duration.ofSeconds(1))));
  }

  /// Asked once, for it never changes.
  private CompletionStage<PlanId> root() {
    var known = root.get();
    return known == null
        ? plan.root()
            .thenApply(
                found -> {
                  root.set(found);
                  return found;
                })
        : CompletableFuture.completedStage(known);
  }

  /// Keeps a decision for the steps after this one.
  ///
  /// @throws IllegalArgumentException if it is empty or too long
  /// @throws IllegalStateException if there are as many as there may be
  void decide(String text) {
    attempt.cancellation().throwIfCancelled();
    attempt.heartbeat();
    if (text.isBlank() || text.length() > LONGEST_DECISION) {
      throw new IllegalArgumentException(
          "a decision has 1 to %d characters, this one has %d: keep the reasons in a file"
              .formatted(LONGEST_DECISION, text.length()));
    }
    if (decisions.size() >= MOST_DECISIONS) {
      throw new IllegalStateException(
          "attempt %d of job %s has made %d decisions, as many as it may: put several into one"
              .formatted(attempt.number(), attempt.job(), MOST_DECISIONS));
    }
    decisions.add(new Decided(Text.clean(text, LONGEST_DECISION), clock.instant()));
  }

  /// The same, while the store is away for as long as a report would wait for it.
  ChangeAnswer recordPatiently(List<Change> changes) throws InterruptedException {
    long end = System.nanoTime() + LONGEST_OUTAGE.toNanos();
    while (true) {
      var answer = Patience.until(record(changes), attempt.cancellation());
      if (answer instanceof ChangeAnswer.Unavailable(var reason, var later)
          && System.nanoTime() < end) {
        Patience.until(after(later), attempt.cancellation());
      } else {
        return answer;
      }
    }
  }

  /// Nothing of it may be committed any more.
  void spoil(String why) {
    spoilt = why;
  }

  /// The handler has returned: what it has left is stored, and goes with the report of its success.
  ///
  /// @throws IllegalStateException if a change is not recorded, and the handler does not know
  /// @throws ChangeRefusedException if it cannot be stored
  /// @throws dev.handoff.cancel.CancelledException if the attempt is cancelled meanwhile
  void commit() throws InterruptedException {
    if (spoilt != null) {
      throw new IllegalStateException(spoilt + ": nothing of the attempt is committed");
    }
    var entries = Patience.until(line.close(), attempt.cancellation());
    var body = new SetBody(entries, List.copyOf(decisions));
    if (!body.isEmpty()) {
      var sha256 = store(PackedChanges.ofNone(BodyCodec.encode(body)));
      attempt.contribute(new Contribution(sha256, body.entries().size(), body.decisions().size()));
    }
  }

  /// Nothing is taken any more.
  void close() {
    line.close();
  }

  /// While the store is away, the attempt waits for it as its report would.
  private String store(PackedChanges body) throws InterruptedException {
    long end = System.nanoTime() + LONGEST_OUTAGE.toNanos();
    while (true) {
      switch (Patience.until(keep(body), attempt.cancellation())) {
        case ContentKeeper.Named named -> {
          return body.sha256();
        }
        case ContentKeeper.NotKept(ChangeAnswer.Unavailable(var reason, var later))
            when System.nanoTime() < end ->
            Patience.until(after(later), attempt.cancellation());
        case ContentKeeper.NotKept(var answer) -> answer.orThrow();
      }
    }
  }

  private static CompletableFuture<Boolean> after(Duration pause) {
    return new CompletableFuture<Boolean>()
        .completeOnTimeout(true, pause.toMillis(), TimeUnit.MILLISECONDS);
  }
}
