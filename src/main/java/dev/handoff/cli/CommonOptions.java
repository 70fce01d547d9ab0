package dev.handoff.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/// The options that every command has.
final class CommonOptions {

  @Option(names = "--json", description = "Answer in JSON.")
  boolean json;

  @Option(names = "--verbose", description = "Show where an error came from.")
  boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /// Those of the command that was called.
  static CommonOptions of(ParseResult parsed) {
    var last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    var mixin = last.commandSpec().mixins().get("common");
    return mixin == null ? new CommonOptions() : (CommonOptions) mixin.userObject();
  }
}
