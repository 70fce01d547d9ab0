package dev.handoff.cancel;

import java.util.concurrent.CompletableFuture;

/// Tokens whose signal a test can look at.
public final class Tokens {

  private Tokens() {}

  public static CancellationToken of(CompletableFuture<Cancellation> signal) {
    return new CancellationToken(signal);
  }
}
