package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Path;

/// Program that applies a sample, and halts before one of its operations, or waits there until its
/// input ends.
final class ApplyProgram {

  static final int HALTED = 7;

  /// Output byte when the program waits.
  static final int WAITING = '.';

  private ApplyProgram() {}

  /// @param args directory, number of the sample, prefix of the operation, and `wait` for a program
  ///   that waits
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
    EditSample.ALL.get(Integer.parseInt(args[1])).write(Path.of(args[0]), disk);
  }

  private static void await() throws IOException {
    System.out.write(WAITING);
    System.out.flush();
    System.in.readAllBytes();
  }
}
