package dev.handoff.cli;

/// Entry point of the program `handoff`.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(Program.run(ProgramStreams.ofProcess(), args));
  }
}
