package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.ContentRef;
import org.jspecify.annotations.Nullable;

/// File that differs from the state an edit expects.
///
/// @param path path relative to the root, separated by `/`
/// @param expected expected content; null = no file expected
/// @param actual actual content, if a file was found and read
public record FileConflict(
    String path, @Nullable ContentRef expected, Obstacle found, @Nullable ContentRef actual) {

  FileConflict(FileEdit edit, Obstacle found) {
    this(edit.path(), edit.before(), found, null);
  }

  /// Copy with another expected content.
  FileConflict expecting(@Nullable ContentRef other) {
    return new FileConflict(path, other, found, actual);
  }

  /// Message for users: file, reason and expected content.
  public String message() {
    return "\"%s\": %s".formatted(path, reason());
  }

  /// Message without the path.
  String reason() {
    return "%s; expected: %s"
        .formatted(
            found == Obstacle.FILE && expected == null ? "it is there" : found.words(),
            expected == null
                ? "nothing"
                : "%d bytes with SHA-256 %s".formatted(expected.bytes(), expected.sha256()));
  }
}
