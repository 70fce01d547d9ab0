package dev.handoff;

import dev.handoff.internal.ask.AnswerStage;
import java.util.concurrent.CompletableFuture;

/// Answer that records whether the handler uses it.
final class NoticedAnswer extends AnswerStage<ChangeAnswer> {

  private volatile boolean noticed;

  boolean isNoticed() {
    return noticed;
  }

  /// Factory for all dependent stages: its call shows that the handler uses the answer.
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    noticed = true;
    return super.newIncompleteFuture();
  }

  @Override
  public CompletableFuture<ChangeAnswer> toCompletableFuture() {
    noticed = true;
    return super.toCompletableFuture();
  }
}
