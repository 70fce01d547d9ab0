package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Path;

/// Maker of directories. Each one is made directly in the root, the only trusted path, and then
/// moved to its place.
///
/// @param path real path of the root
record DirectoryMaker(FileOperations disk, Path path, StagingNames names) {

  /// @param root open root
  void directory(FileOperations.Dir root, FileOperations.Dir target, String as) throws IOException {
    disk.makeDirectory(path.resolve(names.spare()), false);
    root.move(names.spare(), target, as);
  }
}
