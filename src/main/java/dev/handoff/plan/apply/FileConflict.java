package dev.handoff.plan.apply;

import dev.handoff.plan.change.ContentRef;
import org.jspecify.annotations.Nullable;

/// A file that is not as an edit expects it.
///
/// @param path relative to the root, with `/` between its parts
/// @param expected what it should hold; null = it should not be there
/// @param actual what it holds, where it is a file that was read
public record FileConflict(
    String path, @Nullable ContentRef expected, Found found, @Nullable ContentRef actual) {

  FileConflict(FileEdit edit, Found found) {
    this(edit.path(), edit.before(), found, null);
  }

  /// The same, where it should hold something else.
  FileConflict expecting(@Nullable ContentRef other) {
    return new FileConflict(path, other, found, actual);
  }

  /// For people: which file, why, and what is expected.
  public String message() {
    return "\"%s\": %s".formatted(path, reason());
  }

  /// The same without the file.
  String reason() {
    return "%s; expected: %s"
        .formatted(
            found == Found.FILE && expected == null ? "it is there" : found.words(),
            expected == null
                ? "nothing"
                : "%d bytes with SHA-256 %s".formatted(expected.bytes(), expected.sha256()));
  }
}
