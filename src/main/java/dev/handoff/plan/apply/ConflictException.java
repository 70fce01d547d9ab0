package dev.handoff.plan.apply;

import java.io.IOException;

/// Somebody else changed a file while it was worked on.
final class ConflictException extends IOException {

  private final transient FileConflict conflict;

  ConflictException(FileConflict conflict) {
    super(conflict.message());
    this.conflict = conflict;
  }

  FileConflict conflict() {
    return conflict;
  }
}
