package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.Ignored;
import dev.handoff.job.Text;
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

/// A walk through the files of a directory, in no order: without following links, without what git
/// keeps and ignores, and not without end.
final class TreeWalk extends SimpleFileVisitor<Path> {

  private static final int DEEPEST = 200;

  /// Looks at what is found.
  interface Visitor {
    /// @param name from the root, with `/` between its parts
    void file(String name, Path file, BasicFileAttributes seen) throws IOException;

    /// A directory, before what is in it.
    default void directory(String name, Path directory) throws IOException {}

    /// A link, a pipe, or whatever else is neither a file nor a directory.
    void other(String name, Path entry, BasicFileAttributes seen) throws IOException;

    /// What git keeps of its own, which is not entered.
    default void gits(String name) {}
  }

  /// What a walk keeps to.
  ///
  /// @param ignored in the root
  /// @param known what is looked at although it is ignored: files and the directories above them
  /// @param excluded a directory that is never entered
  record Rules(
      Ignored ignored, Predicate<String> known, @Nullable Path excluded, CaptureLimits limits) {}

  private final Path root;
  private final Rules rules;
  private final Visitor visitor;
  private final CancellationToken stop;
  private final Deque<Ignored> ignored = new ArrayDeque<>();
  private final Tally tally;

  private TreeWalk(Path root, Rules rules, Visitor visitor, CancellationToken stop) {
    this.root = root;
    this.rules = rules;
    this.visitor = visitor;
    this.stop = stop;
    tally = new Tally(rules.limits(), root);
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
              .formatted(Text.shown(name(directory)), DEEPEST));
    }
    visitor.directory(name(directory), directory);
    ignored.push(
        ignored.element().ignores(name, true)
            ? Ignored.everything()
            : ignored.element().below(name, directory));
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
    stop.throwIfCancelled();
    if (isLeftOut(file, file.getFileName().toString(), false)) {
      return FileVisitResult.CONTINUE;
    }
    tally.add(seen.isRegularFile() ? seen.size() : 0);
    if (seen.isRegularFile()) {
      visitor.file(name(file), file, seen);
    } else {
      visitor.other(name(file), file, seen);
    }
    return FileVisitResult.CONTINUE;
  }

  /// What is gone before it can be looked at was never there.
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
