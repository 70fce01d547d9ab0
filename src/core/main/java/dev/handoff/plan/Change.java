package dev.handoff.plan;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A change of one file, with its old content: diff, merge and undo need it.
///
/// A path is relative to the root of the changed directory, with `/` between plain names, as in
/// `docs/index.html`. A change that breaks a rule is answered with [ChangeAnswer.Invalid].
public sealed interface Change {

  String path();

  /// Creation of a new file.
  record Create(String path, Content content) implements Change {
    public Create {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(content, "content");
    }

    @Override
    public @Nullable Content before() {
      return null;
    }

    @Override
    public Content after() {
      return content;
    }
  }

  /// Modification of a file.
  record Modify(String path, Content before, Content after) implements Change {
    public Modify {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(before, "before");
      Objects.requireNonNull(after, "after");
    }
  }

  /// Deletion of a file.
  record Delete(String path, Content before) implements Change {
    public Delete {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(before, "before");
    }

    @Override
    public @Nullable Content after() {
      return null;
    }
  }

  /// Old content; null = the file did not exist.
  @Nullable Content before();

  /// New content; null = the file is deleted.
  @Nullable Content after();

  static Change create(String path, String text) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(text, "text");
    return new Create(path, Content.text(text));
  }

  static Change modify(String path, String before, String after) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(after, "after");
    return new Modify(path, Content.text(before), Content.text(after));
  }

  static Change delete(String path, String before) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(before, "before");
    return new Delete(path, Content.text(before));
  }
}
