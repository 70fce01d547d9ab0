package dev.handoff.plan.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.Text;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What somebody decided about one conflict. It holds for exactly that conflict: with other
/// contents on either side there is something else to decide.
///
/// @param ancestor the SHA-256 of what both sides started from; null = there was no file
/// @param ours the SHA-256 of what came first; null = there is no file
/// @param theirs the SHA-256 of what came later; null = there is no file
/// @param content what the file is to hold, for [Choice#CONTENT]
public record Resolution(
    String path,
    @Nullable String ancestor,
    @Nullable String ours,
    @Nullable String theirs,
    Choice choice,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ContentRef content,
    String by,
    Instant at) {

  public Resolution {
    by = Text.clean(by, 256);
  }

  /// Which content a conflict is resolved with.
  public enum Choice {
    OURS,
    THEIRS,
    CONTENT
  }

  /// Whether both decide the same conflict.
  public boolean isAbout(Resolution other) {
    return path.equals(other.path)
        && Objects.equals(ancestor, other.ancestor)
        && Objects.equals(ours, other.ours)
        && Objects.equals(theirs, other.theirs);
  }
}
