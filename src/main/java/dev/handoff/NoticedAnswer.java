package dev.handoff;

import dev.handoff.ask.AnswerStage;
import java.util.concurrent.CompletableFuture;

/// An answer that knows whether anybody wants to hear it.
final class NoticedAnswer extends AnswerStage<ChangeAnswer> {

  private volatile boolean noticed;

  boolean isNoticed() {
    return noticed;
  }

  /// Every stage that follows this one is made here.
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
