package dev.handoff.plan;

import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Resolution of a conflict, valid for exactly these three contents: a change of one makes it void.
///
/// @param ancestor SHA-256 of the conflict's ancestor; null = no file
/// @param ours SHA-256 of its ours; null = no file
/// @param theirs SHA-256 of its theirs; null = no file
/// @param content chosen content; present only for [Choice#CONTENT]
/// @param by name of the user who decided
public record Resolution(
    String path,
    @Nullable String ancestor,
    @Nullable String ours,
    @Nullable String theirs,
    Choice choice,
    @Nullable ContentRef content,
    String by,
    Instant at) {

  /// Chosen side.
  public enum Choice {
    OURS,
    THEIRS,
    CONTENT
  }

  public Resolution {
    by = SafeText.clean(by, 256);
    if ((choice == Choice.CONTENT) != (content != null)) {
      throw new IllegalArgumentException(
          "a resolution of \"" + path + "\" needs its content exactly if that is the choice");
    }
  }

  public static Resolution ours(PlanConflict.Entry conflict, String by, Instant at) {
    return of(conflict, Choice.OURS, null, by, at);
  }

  public static Resolution theirs(PlanConflict.Entry conflict, String by, Instant at) {
    return of(conflict, Choice.THEIRS, null, by, at);
  }

  /// @param content must be stored already
  public static Resolution content(
      PlanConflict.Entry conflict, ContentRef content, String by, Instant at) {
    return of(conflict, Choice.CONTENT, content, by, at);
  }

  /// Returns whether the resolution is for this conflict.
  public boolean fits(PlanConflict.Entry conflict) {
    return path.equals(conflict.path())
        && Objects.equals(ancestor, sha(conflict.ancestor()))
        && Objects.equals(ours, sha(conflict.ours()))
        && Objects.equals(theirs, sha(conflict.theirs()));
  }

  private static Resolution of(
      PlanConflict.Entry conflict,
      Choice choice,
      @Nullable ContentRef content,
      String by,
      Instant at) {
    return new Resolution(
        conflict.path(),
        sha(conflict.ancestor()),
        sha(conflict.ours()),
        sha(conflict.theirs()),
        choice,
        content,
        by,
        at);
  }

  private static @Nullable String sha(@Nullable ContentRef content) {
    return content == null ? null : content.sha256();
  }

  /// Returns whether both resolve the same conflict.
  public boolean isAbout(Resolution other) {
    return path.equals(other.path)
        && Objects.equals(ancestor, other.ancestor)
        && Objects.equals(ours, other.ours)
        && Objects.equals(theirs, other.theirs);
  }

  /// Returns whether both resolve the same conflict in the same way.
  public boolean isSame(Resolution other) {
    return isAbout(other) && choice == other.choice && Objects.equals(content, other.content);
  }
}
