package dev.handoff.plan.apply;

import java.nio.file.Path;

/// Applies a sample in a process of its own, which ends without a word before one of its
/// operations.
final class ApplyProgram {

  static final int HALTED = 7;

  private ApplyProgram() {}

  /// @param args the directory, the number of the sample, and the words that the operation begins
  ///   with
  public static void main(String[] args) {
    var disk =
        TriedDisk.of(
            TriedDisk.Before.first(args[2], (number, what) -> Runtime.getRuntime().halt(HALTED)));
    Sample.ALL.get(Integer.parseInt(args[1])).write(Path.of(args[0]), disk);
  }
}
