package dev.handoff;

import java.util.concurrent.CompletableFuture;

/// An answer that knows whether anybody wants to hear it.
final class NoticedAnswer extends CompletableFuture<ChangeAnswer> {

  private volatile boolean noticed;

  boolean isNoticed() {
    return noticed;
  }

  /// Every stage that follows this one is made here.
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    noticed = true;
    return new CompletableFuture<>();
  }

  @Override
  public CompletableFuture<ChangeAnswer> toCompletableFuture() {
    noticed = true;
    return this;
  }
}
