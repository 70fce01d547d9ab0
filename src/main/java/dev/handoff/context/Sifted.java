package dev.handoff.context;

import java.util.List;

/// What a part of the pipeline has kept, and what it has not.
public record Sifted<T>(List<T> kept, List<LeftOut> leftOut) {

  public Sifted {
    kept = List.copyOf(kept);
    leftOut = List.copyOf(leftOut);
  }

  /// Something that is not in the context, and why.
  public record LeftOut(String resource, String strategy, String reason) {}
}
