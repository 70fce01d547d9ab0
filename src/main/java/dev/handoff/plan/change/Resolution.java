package dev.handoff.plan.change;

import dev.handoff.job.Text;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How a conflict is to end. It holds for exactly the contents that it was made for: when one of
/// the three is another one since, it says nothing any more.
///
/// @param ancestor the SHA-256 of the conflict's ancestor; null = no file
/// @param ours of its ours; null = no file
/// @param theirs of its theirs; null = no file
/// @param content what the file is to hold; there if and only if that is the choice
/// @param by who says so
public record Resolution(
    String path,
    @Nullable String ancestor,
    @Nullable String ours,
    @Nullable String theirs,
    Choice choice,
    @Nullable ContentRef content,
    String by,
    Instant at) {

  /// Whose content it is to be.
  public enum Choice {
    OURS,
    THEIRS,
    CONTENT
  }

  public Resolution {
    by = Text.clean(by, 256);
    if ((choice == Choice.CONTENT) != (content != null)) {
      throw new IllegalArgumentException(
          "a resolution of \"" + path + "\" needs its content exactly if that is the choice");
    }
  }

  public static Resolution ours(Conflict conflict, String by, Instant at) {
    return of(conflict, Choice.OURS, null, by, at);
  }

  public static Resolution theirs(Conflict conflict, String by, Instant at) {
    return of(conflict, Choice.THEIRS, null, by, at);
  }

  /// @param content has to be stored already
  public static Resolution content(Conflict conflict, ContentRef content, String by, Instant at) {
    return of(conflict, Choice.CONTENT, content, by, at);
  }

  /// Whether it was made for this conflict.
  public boolean fits(Conflict conflict) {
    return path.equals(conflict.path())
        && Objects.equals(ancestor, sha(conflict.ancestor()))
        && Objects.equals(ours, sha(conflict.ours()))
        && Objects.equals(theirs, sha(conflict.theirs()));
  }

  /// What the file holds if the conflict ends like this; null = there is no file.
  @Nullable ContentRef chosen(Conflict conflict) {
    return switch (choice) {
      case OURS -> conflict.ours();
      case THEIRS -> conflict.theirs();
      case CONTENT -> content;
    };
  }

  private static Resolution of(
      Conflict conflict, Choice choice, @Nullable ContentRef content, String by, Instant at) {
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

  /// Whether both decide the same conflict.
  public boolean isAbout(Resolution other) {
    return path.equals(other.path)
        && Objects.equals(ancestor, other.ancestor)
        && Objects.equals(ours, other.ours)
        && Objects.equals(theirs, other.theirs);
  }

  /// Whether both decide the same conflict in the same way.
  public boolean isSame(Resolution other) {
    return isAbout(other) && choice == other.choice && Objects.equals(content, other.content);
  }
}
