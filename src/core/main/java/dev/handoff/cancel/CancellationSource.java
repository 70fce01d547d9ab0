package dev.handoff.cancel;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/// Owner of a token, with the right to cancel it. Each attempt's source belongs to its worker.
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
