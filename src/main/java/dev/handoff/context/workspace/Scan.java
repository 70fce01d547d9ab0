package dev.handoff.context.workspace;

import dev.handoff.cancel.CancellationToken;
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

/// Looks for the files of a directory, without opening any of them and without following links.
final class Scan {

  /// Directories within each other. A path is resolved again at each of them: much deeper ones take
  /// minutes.
  private static final int DEEPEST = 200;

  private final Path root;
  private final Set<Path> excluded;
  private final WorkspaceSettings.Limits limits;
  private final Notes notes;
  private final CancellationToken stop;

  private final SortedMap<String, Seen> files = new TreeMap<>();
  private final Queue<Directory> directories = new ArrayDeque<>();

  /// How many more entries are looked at.
  private int left;

  /// A file, as its directory shows it.
  ///
  /// @param name from the root, with slashes
  /// @param modified nanoseconds since 1970
  record Seen(String name, Path path, long size, long modified) {}

  /// @param rules of what is above it
  /// @param key what it is, by whatever name; null = not known
  private record Directory(String name, Path path, IgnoreRules rules, @Nullable Object key) {
    String nameOf(Path entry) {
      var own = entry.getFileName().toString();
      return name.isEmpty() ? own : name + "/" + own;
    }
  }

  /// @param excluded directories that are never entered
  Scan(
      Path root,
      Set<Path> excluded,
      WorkspaceSettings.Limits limits,
      Notes notes,
      CancellationToken stop) {
    this.root = root;
    this.excluded = excluded;
    this.limits = limits;
    this.notes = notes;
    this.stop = stop;
    this.left = limits.files();
  }

  /// @throws IOException if the root itself cannot be read
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
        notes.add(Skip.UNREADABLE, next.name());
      }
    }
    return files;
  }

  /// What is nearest to the root comes first, in the order of names: so it is the farthest that is
  /// left out where there is too much.
  private void list(Directory directory, String ownName) throws IOException {
    var path = directory.path();
    var rules = directory.rules().below(ownName, path.resolve(".gitignore"), notes);
    for (var entry : entries(directory)) {
      stop.throwIfCancelled();
      if (left-- == 0) {
        notes.add(Skip.MANY, directory.nameOf(entry));
        directories.clear();
        return;
      }
      look(directory, rules, entry);
    }
  }

  /// Nothing is taken from a directory that has become a link since it was seen.
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

  /// What was opened is asked itself where that is possible: its path may lead here and there.
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
      notes.add(Skip.UNREADABLE, name);
    } else if (seen.isDirectory()) {
      enter(new Directory(name, entry, rules, seen.fileKey()));
    } else if (seen.isRegularFile()) {
      add(new Seen(name, entry, seen.size(), seen.lastModifiedTime().to(TimeUnit.NANOSECONDS)));
    } else if (!seen.isSymbolicLink()) {
      notes.add(Skip.SPECIAL, name);
    } else if (leadsOut(entry)) {
      notes.add(Skip.LINK, name);
    }
  }

  private void enter(Directory directory) {
    if (directory.path().getNameCount() - root.getNameCount() > DEEPEST) {
      notes.add(Skip.DEEP, directory.name());
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

  /// What a link within the root leads to is seen under its own name.
  private boolean leadsOut(Path link) {
    try {
      return !link.toRealPath().startsWith(root);
    } catch (IOException | SecurityException nowhere) {
      return true;
    }
  }

  private void add(Seen file) {
    if (file.size() > limits.fileSize()) {
      notes.add(Skip.LARGE, file.name());
    } else if (files.putIfAbsent(file.name(), file) != null) {
      notes.add(Skip.UNNAMED, file.name());
    }
  }
}
