package dev.handoff.internal.plan.change;

import dev.handoff.internal.text.SafeText;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/// Pair of paths that cannot both be files in one directory on every operating system.
///
/// @param path path to refuse
/// @param other path it collides with
/// @param reason reason in words
public record PathCollision(String path, String other, String reason) {

  @Override
  public String toString() {
    return "path \"%s\" %s \"%s\"".formatted(SafeText.shown(path), reason, SafeText.shown(other));
  }

  static List<PathCollision> among(Collection<String> paths) {
    var sorted = new TreeSet<>(paths);
    var files = new HashMap<String, String>();
    var found = new ArrayList<PathCollision>();
    for (var path : sorted) {
      var same = files.putIfAbsent(folded(path), path);
      if (same != null) {
        found.add(new PathCollision(path, same, "differs in case or Unicode form alone from"));
      }
    }
    for (var path : sorted) {
      underFile(path, files, found);
    }
    return List.copyOf(found);
  }

  private static void underFile(String path, Map<String, String> files, List<PathCollision> found) {
    var folded = folded(path);
    for (int slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) {
      var file = files.get(folded.substring(0, slash));
      if (file != null) {
        found.add(new PathCollision(path, file, "is inside of the file"));
      }
    }
  }

  /// Normal form, equal for all paths that some file system treats as equal.
  private static String folded(String path) {
    var plain = Normalizer.normalize(path, Normalizer.Form.NFD);
    var upper = plain.toUpperCase(Locale.ROOT);
    return Normalizer.normalize(upper.toLowerCase(Locale.ROOT), Normalizer.Form.NFD);
  }
}
