package dev.handoff.internal.context.workspace;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reference graph of the files. Immutable.
final class FileLinks {

  static final FileLinks NONE = new FileLinks(List.of());

  /// Number of trailing parts that may be removed from a qualified name: it may continue below the
  /// defined name with a nested type or method.
  private static final int CUTS = 2;

  private static final String SEVERAL = "";

  private final Map<String, IndexEntry> files = new HashMap<>();
  private final Map<String, String> definers = new HashMap<>();
  private final Map<String, List<String>> references = new HashMap<>();
  private final Map<String, List<String>> referrers = new HashMap<>();

  FileLinks(Collection<IndexEntry> entries) {
    for (var entry : entries) {
      files.put(entry.path(), entry);
    }
    for (var entry : entries) {
      entry.defines().forEach(name -> define(name, entry.path()));
      define(fileName(entry.path()), entry.path());
    }
    for (var entry : entries) {
      var found = resolved(entry);
      references.put(entry.path(), found);
      found.forEach(
          path -> referrers.computeIfAbsent(path, first -> new ArrayList<>()).add(entry.path()));
    }
  }

  SortedSet<String> from(String path) {
    return sorted(references.get(path));
  }

  SortedSet<String> to(String path) {
    return sorted(referrers.get(path));
  }

  private static SortedSet<String> sorted(@Nullable List<String> paths) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(paths == null ? Set.of() : paths));
  }

  private void define(String name, String path) {
    definers.merge(name, path, (one, other) -> one.equals(other) ? one : SEVERAL);
  }

  private List<String> resolved(IndexEntry entry) {
    var found = new TreeSet<String>();
    for (var mention : entry.mentions()) {
      var path = byPath(entry.path(), mention);
      if (path == null) {
        path = byName(mention);
      }
      if (path != null && !path.equals(entry.path())) {
        found.add(path);
      }
    }
    return List.copyOf(found);
  }

  private @Nullable String byName(String mention) {
    var name = mention;
    for (int cuts = 0; cuts <= CUTS; cuts++) {
      var path = definers.get(name);
      if (path != null) {
        return path.equals(SEVERAL) ? null : path;
      }
      int dot = name.lastIndexOf('.');
      if (dot <= 0 || name.indexOf('.') == dot) {
        return null;
      }
      name = name.substring(0, dot);
    }
    return null;
  }

  /// Resolves a path relative to its file, otherwise relative to the root.
  private @Nullable String byPath(String from, String mention) {
    if (mention.indexOf('/') < 0 && mention.indexOf('.') < 0) {
      return null;
    }
    var link = withoutAnchor(mention);
    if (link.isEmpty() || link.contains("://")) {
      return null;
    }
    var below = link.startsWith("/") ? null : normalised(directory(from) + link);
    if (below != null && files.containsKey(below)) {
      return below;
    }
    var rooted = normalised(link);
    return rooted != null && files.containsKey(rooted) ? rooted : null;
  }

  private static String withoutAnchor(String link) {
    int end = link.length();
    for (char mark : new char[] {'#', '?'}) {
      int at = link.indexOf(mark);
      end = at < 0 ? end : Math.min(end, at);
    }
    var path = link.substring(0, end);
    if (path.indexOf('%') < 0) {
      return path;
    }
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException literal) {
      return path;
    }
  }

  /// Null for a path outside the root.
  private static @Nullable String normalised(String path) {
    if (!path.startsWith("/") && !path.contains("./") && !path.contains("//")) {
      return path;
    }
    var parts = new ArrayList<String>();
    for (var part : path.split("/")) {
      switch (part) {
        case "", "." -> {}
        case ".." -> {
          if (parts.isEmpty()) {
            return null;
          }
          parts.removeLast();
        }
        default -> parts.add(part);
      }
    }
    return String.join("/", parts);
  }

  private static String directory(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
