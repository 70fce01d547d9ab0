package dev.handoff.cancel;

import java.util.concurrent.CompletableFuture;

/// Tokens whose signal a test can inspect.
public final class TokenProbe {

  private TokenProbe() {}

  public static CancellationToken of(CompletableFuture<Cancellation> signal) {
    return new CancellationToken(signal);
  }
}
