package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Path;

/// File system without directory handles: a write could follow a link out of the directory.
final class NoHandlesException extends IOException {

  NoHandlesException(Path directory) {
    super(
        "the file system of \""
            + directory
            + "\" has no handles for directories, without which a link could lead out of it: apply"
            + " to a local directory on Linux, or take the diff to `git apply`");
  }
}
