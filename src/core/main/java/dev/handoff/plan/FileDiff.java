package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Difference of one file.
///
/// @param added number of lines; 0 for binary files
/// @param removed number of lines; 0 for binary files
/// @param binary whether one of the contents is binary
/// @param coarse whether the comparison reached its bounds: then all lines from the first to the
///   last difference count as replaced
public record FileDiff(
    String path,
    Kind kind,
    @Nullable ContentRef before,
    @Nullable ContentRef after,
    int added,
    int removed,
    boolean binary,
    boolean coarse) {

  /// Kind of difference.
  public enum Kind {
    @JsonProperty("created")
    CREATED,
    @JsonProperty("modified")
    MODIFIED,
    @JsonProperty("deleted")
    DELETED
  }
}
