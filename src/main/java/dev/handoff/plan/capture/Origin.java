package dev.handoff.plan.capture;

import dev.handoff.context.workspace.Ignored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where the files of a working copy come from.
sealed interface Origin permits GitTree, PlainTree, Origin.Nothing {

  /// Makes a copy of the files, in a directory that does not exist yet.
  ///
  /// @return the place of the directory within the copy that was asked for
  Path fill(Path copy) throws IOException, InterruptedException;

  /// What git ignores in the copy.
  Ignored ignored(Path place);

  /// What a file held when it was copied, as far as can be told; null if it cannot.
  ///
  /// @param sha256 of that
  byte @Nullable [] content(String name, String sha256) throws IOException, InterruptedException;

  /// The copy is gone: what is kept of it elsewhere can go, too.
  default void forget() throws IOException {}

  /// An empty directory.
  enum Nothing implements Origin {
    INSTANCE;

    @Override
    public Path fill(Path copy) throws IOException {
      return Files.createDirectory(copy);
    }

    @Override
    public Ignored ignored(Path place) {
      return Ignored.nothing();
    }

    @Override
    public byte @Nullable [] content(String name, String sha256) {
      return null;
    }
  }
}
