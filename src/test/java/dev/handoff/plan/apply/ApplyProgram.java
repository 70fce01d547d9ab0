package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Path;

/// Applies a sample in a process of its own, which ends without a word before one of its
/// operations, or waits there until its input ends.
final class ApplyProgram {

  static final int HALTED = 7;

  /// What it writes when it waits.
  static final int WAITING = '.';

  private ApplyProgram() {}

  /// @param args the directory, the number of the sample, the words that the operation begins with,
  ///   and `wait` if it is to wait
  public static void main(String[] args) {
    boolean waits = args.length > 3;
    var disk =
        TriedDisk.of(
            TriedDisk.Before.first(
                args[2],
                (number, what) -> {
                  if (waits) {
                    await();
                  } else {
                    Runtime.getRuntime().halt(HALTED);
                  }
                }));
    Sample.ALL.get(Integer.parseInt(args[1])).write(Path.of(args[0]), disk);
  }

  private static void await() throws IOException {
    System.out.write(WAITING);
    System.out.flush();
    System.in.readAllBytes();
  }
}
