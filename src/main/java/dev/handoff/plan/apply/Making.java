package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Path;

/// Makes directories: each right in the root, whose own name is all there is to follow, and moved
/// from there.
///
/// @param path the real name of the root
record Making(Disk disk, Path path, Names names) {

  /// @param root the open root
  void directory(Disk.Dir root, Disk.Dir target, String as) throws IOException {
    disk.makeDirectory(path.resolve(names.spare()), false);
    root.move(names.spare(), target, as);
  }
}
