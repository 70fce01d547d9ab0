package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.ChangePath;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.internal.plan.change.PathCollision;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.ContentRef;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Edits of one apply, sorted by path.
record FileEdits(List<FileEdit> all) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  FileEdits(List<FileEdit> all) {
    this.all = all.stream().sorted(Comparator.comparing(FileEdit::path)).toList();
  }

  /// Problem with the name of an apply; empty for a valid name.
  static Optional<String> problem(String name) {
    return NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "\"" + SafeText.shown(name) + "\" cannot name an apply; a name matches " + NAME);
  }

  /// Problem that makes these edits invalid for any directory; empty for valid edits.
  Optional<String> problem() {
    var paths = new HashSet<String>();
    return all.stream()
        .flatMap(edit -> problem(edit, paths).stream())
        .findFirst()
        .or(this::nested)
        .or(this::colliding);
  }

  private static Optional<String> problem(FileEdit edit, Set<String> others) {
    var path = FilePath.problem(edit.path());
    if (path.isPresent()) {
      return path;
    }
    if (!others.add(edit.path())) {
      return Optional.of("there are two edits of \"" + edit.path() + "\"");
    }
    if (edit.before() == null && edit.after() == null) {
      return Optional.of("the edit of \"" + edit.path() + "\" names no content");
    }
    return isNamed(edit.before()) && isNamed(edit.after())
        ? Optional.empty()
        : Optional.of("the edit of \"" + edit.path() + "\" names a content by no SHA-256");
  }

  private static boolean isNamed(@Nullable ContentRef content) {
    return content == null || SHA256.matcher(content.sha256()).matches();
  }

  /// First collision of paths: different names here may be equal on another file system, where the
  /// directory is copied later.
  private Optional<String> colliding() {
    var written = all.stream().filter(edit -> edit.after() != null).map(FileEdit::path).toList();
    return ChangePath.collisions(written).stream().map(PathCollision::toString).findFirst();
  }

  private Optional<String> nested() {
    var directories = kept();
    return all.stream()
        .filter(edit -> edit.after() != null && directories.contains(edit.path()))
        .map(edit -> "\"" + edit.path() + "\" is to be a file, and there are to be files in it")
        .findFirst();
  }

  /// Edits that change something.
  List<FileEdit> toWrite() {
    return all.stream()
        .filter(edit -> edit.before() == null || !edit.before().equals(edit.after()))
        .toList();
  }

  /// Parent directories of all files to write.
  Set<String> kept() {
    var kept = new HashSet<String>();
    for (var edit : all) {
      if (edit.after() != null) {
        kept.addAll(FilePath.of(edit.path()).above());
      }
    }
    return kept;
  }
}
