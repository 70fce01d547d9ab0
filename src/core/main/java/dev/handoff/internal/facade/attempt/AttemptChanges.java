package dev.handoff.internal.facade.attempt;

import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.facade.CancellableWait;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.internal.plan.change.AttemptDecision;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangeRefusedException;
import dev.handoff.plan.PlanChanges;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Changes and decisions of an attempt of a step. They stay invisible until the attempt succeeds:
/// the success fact names them.
///
/// Contents go to the store at once. Changes keep the order of their recording, even if the
/// contents of a later change are stored first.
final class AttemptChanges implements PlanChanges {

  private static final int MOST_DECISIONS = 20;
  private static final int LONGEST_DECISION = 1_024;
  private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(2);

  private final HandlerAttempt attempt;
  private final AttemptPlan plan;
  private final InstantSource clock;
  private final OrderedChanges ordered;
  private final Queue<AttemptDecision> decisions = new ConcurrentLinkedQueue<>();
  private volatile @Nullable String spoilt;
  private final AtomicReference<@Nullable PlanId> root = new AtomicReference<>();

  AttemptChanges(HandlerAttempt attempt, AttemptPlan plan, InstantSource clock) {
    this.attempt = attempt;
    this.plan = plan;
    this.clock = clock;
    this.ordered = new OrderedChanges(attempt.job() + ":" + attempt.number(), clock, this::over);
  }

  /// Reason why the attempt records no more changes; null while it records.
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
      return ordered.add(refused(new ChangeAnswer.Refused(over())));
    }
    if (problem.isPresent()) {
      return ordered.add(refused(new ChangeAnswer.Invalid(problem.get())));
    }
    if (ordered.isFull(copy.stream().map(Change::path).toList())) {
      return ordered.add(refused(ordered.full()));
    }
    var packed = PackedChanges.of(copy);
    return ordered.add(keep(packed).toCompletableFuture());
  }

  private static CompletableFuture<ContentKeeper.Kept> refused(ChangeAnswer answer) {
    return CompletableFuture.completedFuture(new ContentKeeper.NotKept(answer));
  }

  private CompletionStage<ContentKeeper.Kept> keep(PackedChanges packed) {
    return root()
        .thenCombine(plan.engine(), (owner, engine) -> ContentKeeper.of(engine).keep(owner, packed))
        .thenCompose(kept -> kept)
        .exceptionally(
            failure ->
                new ContentKeeper.NotKept(
                    new ChangeAnswer.Unavailable(
                        UnavailableReasons.of(failure), Duration.ofSeconds(1))));
  }

  /// Topmost plan; asked for once, because it never changes.
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

  /// Records a decision for later steps.
  ///
  /// @throws IllegalArgumentException if the text is empty or too long
  /// @throws IllegalStateException if the attempt has its maximum of decisions
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
    decisions.add(new AttemptDecision(SafeText.clean(text, LONGEST_DECISION), clock.instant()));
  }

  /// Records changes, and retries during an outage of the store for as long as a report of the
  /// attempt would.
  ChangeAnswer recordPatiently(List<Change> changes) throws InterruptedException {
    long end = System.nanoTime() + LONGEST_OUTAGE.toNanos();
    while (true) {
      var answer = CancellableWait.until(record(changes), attempt.cancellation());
      if (answer instanceof ChangeAnswer.Unavailable(var reason, var later)
          && System.nanoTime() < end) {
        CancellableWait.pause(later, attempt.cancellation());
      } else {
        return answer;
      }
    }
  }

  /// Prevents any commit of this attempt's changes.
  void spoil(String why) {
    spoilt = why;
  }

  /// Stores all changes after the handler's return; their name goes into the report of the
  /// attempt's success.
  ///
  /// @throws IllegalStateException if a change was not recorded and the handler has not read the
  ///   answer
  /// @throws ChangeRefusedException if the changes cannot be stored
  /// @throws dev.handoff.cancel.CancelledException if the attempt is cancelled during the commit
  void commit() throws InterruptedException {
    if (spoilt != null) {
      throw new IllegalStateException(spoilt + ": nothing of the attempt is committed");
    }
    var entries = CancellableWait.until(ordered.close(), attempt.cancellation());
    var body = new SetBody(entries, List.copyOf(decisions));
    if (!body.isEmpty()) {
      var sha256 = store(PackedChanges.ofNone(BodyCodec.encode(body)));
      attempt.contribute(
          new StepContribution(sha256, body.entries().size(), body.decisions().size()));
    }
  }

  /// Stops recording.
  void close() {
    ordered.close();
  }

  /// Stores the body, and retries during an outage of the store for as long as a report of the
  /// attempt would.
  private String store(PackedChanges body) throws InterruptedException {
    long end = System.nanoTime() + LONGEST_OUTAGE.toNanos();
    while (true) {
      switch (CancellableWait.until(keep(body), attempt.cancellation())) {
        case ContentKeeper.Named named -> {
          return body.sha256();
        }
        case ContentKeeper.NotKept(ChangeAnswer.Unavailable(var reason, var later))
            when System.nanoTime() < end ->
            CancellableWait.pause(later, attempt.cancellation());
        case ContentKeeper.NotKept(var answer) -> answer.orThrow();
      }
    }
  }
}
