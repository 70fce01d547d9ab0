package dev.handoff.plan.change;

import dev.handoff.job.Text;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/// Two paths that cannot both be files in one directory on every system.
///
/// @param path the one to be refused
/// @param other what it collides with
/// @param reason that, in words
public record Collision(String path, String other, String reason) {

  @Override
  public String toString() {
    return "path \"%s\" %s \"%s\"".formatted(Text.shown(path), reason, Text.shown(other));
  }

  static List<Collision> among(Collection<String> paths) {
    var sorted = new TreeSet<>(paths);
    var files = new HashMap<String, String>();
    var found = new ArrayList<Collision>();
    for (var path : sorted) {
      var same = files.putIfAbsent(folded(path), path);
      if (same != null) {
        found.add(new Collision(path, same, "differs in case or Unicode form alone from"));
      }
    }
    for (var path : sorted) {
      underFile(path, files, found);
    }
    return List.copyOf(found);
  }

  private static void underFile(String path, Map<String, String> files, List<Collision> found) {
    var folded = folded(path);
    for (int slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) {
      var file = files.get(folded.substring(0, slash));
      if (file != null) {
        found.add(new Collision(path, file, "is inside of the file"));
      }
    }
  }

  /// What is the same for all paths that some file system takes for one.
  private static String folded(String path) {
    var plain = Normalizer.normalize(path, Normalizer.Form.NFD);
    var upper = plain.toUpperCase(Locale.ROOT);
    return Normalizer.normalize(upper.toLowerCase(Locale.ROOT), Normalizer.Form.NFD);
  }
}
