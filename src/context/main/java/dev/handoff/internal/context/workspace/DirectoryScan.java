package dev.handoff.internal.context.workspace;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.git.GitPlace;
import dev.handoff.internal.git.IgnoreRules;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Lists the files of a directory tree without opening files or following links.
final class DirectoryScan {

  /// Limit of nested directories. Each level resolves the path again; much deeper trees take
  /// minutes.
  private static final int DEEPEST = 200;

  private final Path root;
  private final Set<Path> excluded;
  private final WorkspaceSettings.Limits limits;
  private final SkipNotes notes;
  private final CancellationToken stop;

  private final SortedMap<String, Seen> files = new TreeMap<>();
  private final Queue<Directory> directories = new ArrayDeque<>();

  /// Number of entries that may still be visited.
  private int left;

  /// A file with its directory metadata.
  ///
  /// @param name path relative to the root, with slashes
  /// @param modified nanoseconds since 1970
  record Seen(String name, Path path, long size, long modified) {}

  /// @param rules ignore rules of the parents
  /// @param key file key (identity independent of the name); null = unknown
  private record Directory(String name, Path path, IgnoreRules rules, @Nullable Object key) {
    String nameOf(Path entry) {
      var own = entry.getFileName().toString();
      return name.isEmpty() ? own : name + "/" + own;
    }
  }

  /// @param excluded directories that are never entered
  DirectoryScan(
      Path root,
      Set<Path> excluded,
      WorkspaceSettings.Limits limits,
      SkipNotes notes,
      CancellationToken stop) {
    this.root = root;
    this.excluded = excluded;
    this.limits = limits;
    this.notes = notes;
    this.stop = stop;
    this.left = limits.files();
  }

  /// @throws IOException if the root itself is unreadable
  SortedMap<String, Seen> files() throws IOException {
    var git = GitPlace.around(root);
    var above = git.map(place -> place.rulesAbove(root, notes)).orElse(IgnoreRules.NONE);
    boolean below = git.isPresent() && !git.get().workTree().equals(root);
    list(new Directory("", root, above, null), below ? root.getFileName().toString() : "");
    while (!directories.isEmpty()) {
      var next = directories.remove();
      try {
        list(next, next.path().getFileName().toString());
      } catch (IOException | DirectoryIteratorException unreadable) {
        notes.add(SkipReason.UNREADABLE, next.name());
      }
    }
    return files;
  }

  /// Visits a directory in name order. Directories are processed breadth-first, so the entry limit
  /// drops the files farthest from the root.
  private void list(Directory directory, String ownName) throws IOException {
    var path = directory.path();
    var rules = directory.rules().below(ownName, path.resolve(".gitignore"), notes);
    for (var entry : entries(directory)) {
      stop.throwIfCancelled();
      if (left-- == 0) {
        notes.add(SkipReason.MANY, directory.nameOf(entry));
        directories.clear();
        return;
      }
      look(directory, rules, entry);
    }
  }

  /// Refuses a directory that was replaced by a link since its listing.
  private List<Path> entries(Directory directory) throws IOException {
    var sorted = new ArrayList<Path>();
    try (var entries = Files.newDirectoryStream(directory.path())) {
      if (!isTheOneSeen(directory, entries)) {
        throw new NotDirectoryException(directory.name());
      }
      var all = entries.iterator();
      while (sorted.size() <= left && all.hasNext()) {
        sorted.add(all.next());
      }
    }
    Collections.sort(sorted);
    return sorted;
  }

  /// Compares the file key of the open handle if supported, because the path may change; otherwise
  /// compares the real path.
  private static boolean isTheOneSeen(Directory directory, DirectoryStream<Path> opened)
      throws IOException {
    if (directory.key() != null && opened instanceof SecureDirectoryStream<Path> handle) {
      var itself = handle.getFileAttributeView(BasicFileAttributeView.class).readAttributes();
      return directory.key().equals(itself.fileKey());
    }
    return directory.path().toRealPath().equals(directory.path());
  }

  private void look(Directory directory, IgnoreRules rules, Path entry) {
    var own = entry.getFileName().toString();
    var name = directory.nameOf(entry);
    var seen = attributes(entry);
    if (own.equalsIgnoreCase(".git")) {
      return;
    }
    if (rules.ignores(own, seen != null && seen.isDirectory())) {
      return;
    }
    if (seen == null) {
      notes.add(SkipReason.UNREADABLE, name);
    } else if (seen.isDirectory()) {
      enter(new Directory(name, entry, rules, seen.fileKey()));
    } else if (seen.isRegularFile()) {
      add(new Seen(name, entry, seen.size(), seen.lastModifiedTime().to(TimeUnit.NANOSECONDS)));
    } else if (!seen.isSymbolicLink()) {
      notes.add(SkipReason.SPECIAL, name);
    } else if (leadsOut(entry)) {
      notes.add(SkipReason.LINK, name);
    }
  }

  private void enter(Directory directory) {
    if (directory.path().getNameCount() - root.getNameCount() > DEEPEST) {
      notes.add(SkipReason.DEEP, directory.name());
    } else if (!excluded.contains(directory.path())) {
      directories.add(directory);
    }
  }

  private static @Nullable BasicFileAttributes attributes(Path entry) {
    try {
      return Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException | SecurityException gone) {
      return null;
    }
  }

  /// A link inside the root is not reported, because the scan finds its target directly.
  private boolean leadsOut(Path link) {
    try {
      return !link.toRealPath().startsWith(root);
    } catch (IOException | SecurityException nowhere) {
      return true;
    }
  }

  private void add(Seen file) {
    if (file.size() > limits.fileSize()) {
      notes.add(SkipReason.LARGE, file.name());
    } else if (files.putIfAbsent(file.name(), file) != null) {
      notes.add(SkipReason.UNNAMED, file.name());
    }
  }
}
