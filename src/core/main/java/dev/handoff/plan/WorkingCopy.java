package dev.handoff.plan;

import java.nio.file.Path;

/// Private directory of an attempt. It is removed by [#close], and at the latest at the end of the
/// attempt. Not thread-safe.
public interface WorkingCopy extends AutoCloseable {

  /// Path of the directory.
  Path path();

  /// Records all differences since the start as changes of the attempt, in path order. Call this
  /// method once, after the work.
  ///
  /// @return number of different files
  /// @throws dev.handoff.plan.CaptureException if a difference cannot be recorded: a link, a file
  ///   of more than 10 MiB, or a file name that is not portable. Nothing of the attempt is
  ///   committed then
  /// @throws ChangeRefusedException if the changes are refused; nothing of the attempt is committed
  ///   then
  int record() throws InterruptedException;

  @Override
  void close();
}
