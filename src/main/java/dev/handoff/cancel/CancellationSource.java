package dev.handoff.cancel;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/// The side of a token that can cancel it. Belongs to the worker of the attempt.
public final class CancellationSource {

  private final CompletableFuture<Cancellation> signal = new CompletableFuture<>();
  private final CancellationToken token = new CancellationToken(signal);

  public CancellationToken token() {
    return token;
  }

  /// Cancels the token. Idempotent: the first reason stays.
  ///
  /// @return whether this call was the first
  public boolean cancel(Cancellation why) {
    return signal.complete(Objects.requireNonNull(why, "why"));
  }
}
