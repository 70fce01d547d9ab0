package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Path;

/// There is no way to write to a directory without the danger of following a link out of it.
final class NoHandlesException extends IOException {

  NoHandlesException(Path directory) {
    super(
        "the file system of \""
            + directory
            + "\" has no handles for directories, without which a link could lead out of it: apply"
            + " to a local directory on Linux, or take the diff to `git apply`");
  }
}
