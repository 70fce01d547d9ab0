package dev.handoff.internal.plan.apply;

import java.io.IOException;

/// File that another program changed during the apply.
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
