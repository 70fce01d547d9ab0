package dev.handoff.context;

import java.util.List;

/// Result of a pipeline part: kept items and omissions.
public record PartResult<T>(List<T> kept, List<LeftOut> leftOut) {

  public PartResult {
    kept = List.copyOf(kept);
    leftOut = List.copyOf(leftOut);
  }

  /// An omitted resource with the reason.
  public record LeftOut(String resource, String strategy, String reason) {}
}
