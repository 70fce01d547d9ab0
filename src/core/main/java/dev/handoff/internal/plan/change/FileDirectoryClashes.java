package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.Resolution;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Clashes between a file and a directory: some changesets created a file, others a directory of
/// the same path. The earlier one stays until a resolution; the later one is treated as not made.
///
/// In a [PlanConflict.Entry] the directory is represented by the list of its files, so a resolution
/// holds for exactly these files.
final class FileDirectoryClashes {

  private FileDirectoryClashes() {}

  /// Settles parent paths first: their outcome decides which files below them are left.
  static void settle(TreeMap<String, FileFold> folds) {
    for (var file : folds.values()) {
      var below = file.now() == null ? List.<FileFold>of() : below(file, folds);
      if (!below.isEmpty()) {
        settle(file, below);
      }
    }
  }

  /// Files below a path; `0` is the character after `/`.
  private static List<FileFold> below(FileFold file, TreeMap<String, FileFold> folds) {
    return folds.subMap(file.path() + "/", file.path() + "0").values().stream()
        .filter(one -> one.now() != null)
        .toList();
  }

  private static void settle(FileFold file, List<FileFold> below) {
    if (file.conflict().isPresent()) {
      below.forEach(FileFold::goes);
      return;
    }
    boolean isFirst = below.stream().allMatch(one -> file.since() <= one.since());
    var list = list(below);
    var conflict = conflict(file, below, isFirst, new ContentRef(ChainHash.of(list), list.length));
    var said = file.resolution(conflict);
    boolean stays = said.map(one -> isForFile(one, isFirst)).orElse(isFirst);
    if (stays) {
      below.forEach(FileFold::goes);
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

  private static PlanConflict.Entry conflict(
      FileFold file, List<FileFold> below, boolean isFirst, ContentRef directory) {
    var why = PlanConflict.Why.FILE_AND_DIRECTORY;
    return isFirst
        ? new PlanConflict.Entry(
            file.path(), null, file.now(), directory, file.from(), last(below).from(), why)
        : new PlanConflict.Entry(
            file.path(), null, directory, file.now(), first(below).from(), file.from(), why);
  }

  private static FileFold first(Collection<FileFold> files) {
    return files.stream().min(Comparator.comparing(FileFold::since)).orElseThrow();
  }

  private static FileFold last(Collection<FileFold> files) {
    return files.stream().max(Comparator.comparing(FileFold::since)).orElseThrow();
  }

  private static byte[] list(List<FileFold> files) {
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
