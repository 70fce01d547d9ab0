package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancelledException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Failure texts for users. Exceptions name only directory entries, so their messages say little.
final class FailureText {

  private FailureText() {}

  static String of(Exception failure) {
    return switch (failure) {
      case CancelledException cancelled -> "it was cancelled: " + cancelled.cancellation().reason();
      case ClosedByInterruptException interrupted -> "its thread was interrupted";
      case AccessDeniedException denied -> "this user may not do that";
      case AtomicMoveNotSupportedException elsewhere ->
          "it is on another file system than the directory: apply to each of them on its own";
      case NoSuchFileException gone -> "\"" + gone.getFile() + "\" is gone";
      case FileAlreadyExistsException there -> "\"" + there.getFile() + "\" is already there";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }
}
