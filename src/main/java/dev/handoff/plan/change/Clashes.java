package dev.handoff.plan.change;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Places where some changesets have made a file, and others a directory with files in it. Both
/// cannot be: whichever came first stays until somebody has decided, as if the other had not been
/// made.
///
/// In the [Conflict] a list of its files stands for the directory, so that a decision holds for
/// just those.
final class Clashes {

  private Clashes() {}

  /// Looks at files above others first: what becomes of them says which of those are left.
  static void settle(TreeMap<String, Fold> folds) {
    for (var file : folds.values()) {
      var below = file.now() == null ? List.<Fold>of() : below(file, folds);
      if (!below.isEmpty()) {
        settle(file, below);
      }
    }
  }

  /// The character after a slash is a zero.
  private static List<Fold> below(Fold file, TreeMap<String, Fold> folds) {
    return folds.subMap(file.path() + "/", file.path() + "0").values().stream()
        .filter(one -> one.now() != null)
        .toList();
  }

  private static void settle(Fold file, List<Fold> below) {
    if (file.conflict().isPresent()) {
      below.forEach(Fold::goes);
      return;
    }
    boolean isFirst = below.stream().allMatch(one -> file.since() <= one.since());
    var list = list(below);
    var conflict = conflict(file, below, isFirst, new ContentRef(Seal.of(list), list.length));
    var said = file.resolution(conflict);
    boolean stays = said.map(one -> isForFile(one, isFirst)).orElse(isFirst);
    if (stays) {
      below.forEach(Fold::goes);
      said.flatMap(one -> Optional.ofNullable(one.content())).ifPresent(file::holds);
    }
    if (said.isEmpty()) {
      file.clashes(conflict, list, stays);
    } else if (!stays) {
      file.goes();
    }
  }

  private static boolean isForFile(Resolution said, boolean isFirst) {
    return switch (said.choice()) {
      case OURS -> isFirst;
      case THEIRS -> !isFirst;
      case CONTENT -> true;
    };
  }

  private static Conflict conflict(
      Fold file, List<Fold> below, boolean isFirst, ContentRef directory) {
    var why = Conflict.Why.FILE_AND_DIRECTORY;
    return isFirst
        ? new Conflict(
            file.path(), null, file.now(), directory, file.from(), last(below).from(), why)
        : new Conflict(
            file.path(), null, directory, file.now(), first(below).from(), file.from(), why);
  }

  private static Fold first(Collection<Fold> files) {
    return files.stream().min(Comparator.comparing(Fold::since)).orElseThrow();
  }

  private static Fold last(Collection<Fold> files) {
    return files.stream().max(Comparator.comparing(Fold::since)).orElseThrow();
  }

  private static byte[] list(List<Fold> files) {
    var list = new StringBuilder();
    files.forEach(file -> list.append(line(file.path(), file.now())));
    return list.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String line(String path, @Nullable ContentRef content) {
    return content == null
        ? ""
        : "%s: %d bytes with SHA-256 %s\n".formatted(path, content.bytes(), content.sha256());
  }
}
