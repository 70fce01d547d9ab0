package dev.handoff;

import dev.handoff.dispatch.Attempt;
import dev.handoff.job.Json;
import dev.handoff.plan.capture.WorkingCopies;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What an attempt has of its plan, if its job is a step of one.
final class AttemptStep {

  private final Attempt attempt;
  private final AttemptPlan plan;
  private final @Nullable AttemptChanges changes;
  private final @Nullable AttemptCopies copies;

  AttemptStep(
      Attempt attempt,
      CompletableFuture<Handoff> handoff,
      InstantSource clock,
      WorkingCopies directory) {
    this.attempt = attempt;
    this.plan = new AttemptPlan(attempt, handoff);
    this.changes = attempt.spec().isStep() ? new AttemptChanges(attempt, plan, clock) : null;
    this.copies = changes == null ? null : new AttemptCopies(attempt, plan, changes, directory);
  }

  Optional<String> planId() {
    return Optional.ofNullable(attempt.spec().plan());
  }

  Optional<String> name() {
    return changes == null ? Optional.empty() : Optional.of(plan.step());
  }

  AttemptChanges changes() {
    if (changes == null) {
      throw new IllegalStateException(
          "job %s is no step of a plan, so there is nothing that its changes, decisions and"
                  .formatted(attempt.job())
              + " results of other steps could belong to: submit it as a step of a plan");
    }
    return changes;
  }

  Json result(String step) throws InterruptedException {
    changes();
    attempt.heartbeat();
    return Patience.until(plan.result(step), attempt.cancellation());
  }

  WorkingCopy workingCopy(Capture capture) throws InterruptedException {
    changes();
    return copies.make(capture);
  }

  /// The handler has returned.
  void commit() throws InterruptedException {
    if (changes != null) {
      changes.commit();
    }
  }

  /// The attempt ends, however that is.
  void close() {
    if (changes != null) {
      changes.close();
      copies.close();
    }
  }
}
