package dev.handoff.internal.facade;

import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.plan.ChangeAnswer;
import java.util.concurrent.CompletableFuture;

/// Answer that records whether the handler uses it.
public final class NoticedAnswer extends AnswerStage<ChangeAnswer> {

  private volatile boolean noticed;

  public boolean isNoticed() {
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
