package dev.handoff;

import java.nio.file.Path;

/// A directory of an attempt's own. It is removed when it is closed, and at the latest when the
/// attempt ends. For one thread after the other.
public interface WorkingCopy extends AutoCloseable {

  /// The directory to work in.
  Path path();

  /// Records what is different since the start as changes of the attempt, in the order of the
  /// paths. To be called once, when the work is done.
  ///
  /// @return how many files are different
  /// @throws dev.handoff.plan.capture.CaptureException if there is something that cannot be
  ///   recorded: a link, a file of more than 10 MiB, a name that is none everywhere. Nothing of the
  ///   attempt is committed then
  /// @throws ChangeRefusedException if the changes are not taken; nothing is committed then, either
  int record() throws InterruptedException;

  @Override
  void close();
}
