package dev.handoff.cli;

/// Starts the program `handoff`.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(Program.run(Streams.ofProcess(), args));
  }
}
