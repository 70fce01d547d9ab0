package dev.handoff.internal.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.git.GitIgnoreRules;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.CaptureException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Walk over the files of a directory, unordered. It follows no links, skips git's own and ignored
/// files, and stops at the limits.
final class TreeWalk extends SimpleFileVisitor<Path> {

  private static final int DEEPEST = 200;

  /// Visitor of a walk.
  interface Visitor {
    /// @param name name relative to the root, separated by `/`
    void file(String name, Path file, BasicFileAttributes seen) throws IOException;

    /// Visits a directory before its entries.
    default void directory(String name, Path directory) throws IOException {}

    /// Visits a link, a pipe or another special file.
    void other(String name, Path entry, BasicFileAttributes seen) throws IOException;

    /// Visits git's own file or directory, which is not entered.
    default void gits(String name) {}
  }

  /// Rules of a walk.
  ///
  /// @param ignored ignore rules at the root
  /// @param known names to visit although they are ignored: files and their parent directories
  /// @param excluded directory that is never entered
  record Rules(
      GitIgnoreRules ignored,
      Predicate<String> known,
      @Nullable Path excluded,
      CaptureLimits limits) {}

  private final Path root;
  private final Rules rules;
  private final Visitor visitor;
  private final CancellationToken stop;
  private final Deque<GitIgnoreRules> ignored = new ArrayDeque<>();
  private final CopySize size;

  private TreeWalk(Path root, Rules rules, Visitor visitor, CancellationToken stop) {
    this.root = root;
    this.rules = rules;
    this.visitor = visitor;
    this.stop = stop;
    size = new CopySize(rules.limits(), root);
    ignored.push(rules.ignored());
  }

  static void through(Path root, Rules rules, CancellationToken stop, Visitor visitor)
      throws IOException {
    var walk = new TreeWalk(root, rules, visitor, stop);
    Files.walkFileTree(root, Set.of(), Integer.MAX_VALUE, walk);
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes seen)
      throws IOException {
    stop.throwIfCancelled();
    if (directory.equals(root)) {
      return FileVisitResult.CONTINUE;
    }
    var name = directory.getFileName().toString();
    if (isLeftOut(directory, name, true) || directory.equals(rules.excluded())) {
      return FileVisitResult.SKIP_SUBTREE;
    }
    if (directory.getNameCount() - root.getNameCount() > DEEPEST) {
      throw new CaptureException(
          "directory \"%s\" is deeper than %d others: name a directory below it"
              .formatted(SafeText.shown(name(directory)), DEEPEST));
    }
    visitor.directory(name(directory), directory);
    ignored.push(
        ignored.element().ignores(name, true)
            ? GitIgnoreRules.everything()
            : ignored.element().below(name, directory));
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
    stop.throwIfCancelled();
    if (isLeftOut(file, file.getFileName().toString(), false)) {
      return FileVisitResult.CONTINUE;
    }
    size.add(seen.isRegularFile() ? seen.size() : 0);
    if (seen.isRegularFile()) {
      visitor.file(name(file), file, seen);
    } else {
      visitor.other(name(file), file, seen);
    }
    return FileVisitResult.CONTINUE;
  }

  /// Skips a file deleted during the walk.
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (failure instanceof NoSuchFileException && !file.equals(root)) {
      return FileVisitResult.CONTINUE;
    }
    throw failure;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, IOException failure)
      throws IOException {
    if (failure != null) {
      throw failure;
    }
    ignored.pop();
    return FileVisitResult.CONTINUE;
  }

  private boolean isLeftOut(Path entry, String name, boolean isDirectory) {
    if (name.equalsIgnoreCase(".git")) {
      visitor.gits(name(entry));
      return true;
    }
    return ignored.element().ignores(name, isDirectory) && !rules.known().test(name(entry));
  }

  private String name(Path entry) {
    var name = root.relativize(entry).toString();
    return name.replace(entry.getFileSystem().getSeparator(), "/");
  }
}
