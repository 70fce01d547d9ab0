package dev.handoff.internal.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.git.GitIgnoreRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Directory that is copied file by file, without links and ignored files.
///
/// @param directory real path of the directory
/// @param excluded directory inside that is not copied; null = none
record PlainTree(
    Path directory, @Nullable Path excluded, CaptureLimits limits, CancellationToken stop)
    implements CopySource {

  @Override
  public Path fill(Path copy) throws IOException {
    Files.createDirectory(copy);
    var rules =
        new TreeWalk.Rules(
            GitIgnoreRules.in(directory, directory), name -> false, excluded, limits);
    TreeWalk.through(directory, rules, stop, new Copying(copy));
    return copy;
  }

  /// Visitor that copies files.
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
      // A link's target is not part of the directory.
    }
  }

  @Override
  public GitIgnoreRules ignored(Path place) {
    return GitIgnoreRules.in(directory, place);
  }

  @Override
  public byte @Nullable [] content(String name, String sha256) throws IOException {
    return SourceFiles.content(directory.resolve(name), sha256);
  }
}
