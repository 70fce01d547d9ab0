package dev.handoff.internal.plan.capture;

import dev.handoff.internal.git.GitIgnoreRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Source of a working copy's files.
sealed interface CopySource permits GitTree, PlainTree, CopySource.Nothing {

  /// Copies the files to a directory that does not exist yet.
  ///
  /// @return place of the requested directory within the copy
  Path fill(Path copy) throws IOException, InterruptedException;

  /// Ignore rules of git for the copy.
  GitIgnoreRules ignored(Path place);

  /// Content of a file when it was copied; null if it is no longer known.
  ///
  /// @param sha256 hash of that content
  byte @Nullable [] content(String name, String sha256) throws IOException, InterruptedException;

  /// Removes traces outside the copy, after the copy was deleted.
  default void forget() throws IOException {}

  /// Empty directory.
  enum Nothing implements CopySource {
    INSTANCE;

    @Override
    public Path fill(Path copy) throws IOException {
      return Files.createDirectory(copy);
    }

    @Override
    public GitIgnoreRules ignored(Path place) {
      return GitIgnoreRules.nothing();
    }

    @Override
    public byte @Nullable [] content(String name, String sha256) {
      return null;
    }
  }
}
