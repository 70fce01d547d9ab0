package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.Ignored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A directory that is copied file by file, without links and without what git ignores.
///
/// @param directory its real path
/// @param excluded a directory within it that is not copied; null = none
record PlainTree(
    Path directory, @Nullable Path excluded, CaptureLimits limits, CancellationToken stop)
    implements Origin {

  @Override
  public Path fill(Path copy) throws IOException {
    Files.createDirectory(copy);
    var rules =
        new TreeWalk.Rules(Ignored.in(directory, directory), name -> false, excluded, limits);
    TreeWalk.through(directory, rules, stop, new Copying(copy));
    return copy;
  }

  /// Copies what is found.
  record Copying(Path copy) implements TreeWalk.Visitor {
    @Override
    public void file(String name, Path file, BasicFileAttributes seen) throws IOException {
      SourceFiles.copy(file, copy.resolve(name));
    }

    @Override
    public void directory(String name, Path directory) throws IOException {
      Files.createDirectories(copy.resolve(name));
    }

    @Override
    public void other(String name, Path entry, BasicFileAttributes seen) {
      // Where a link leads to is not part of the directory.
    }
  }

  @Override
  public Ignored ignored(Path place) {
    return Ignored.in(directory, place);
  }

  @Override
  public byte @Nullable [] content(String name, String sha256) throws IOException {
    return SourceFiles.content(directory.resolve(name), sha256);
  }
}
