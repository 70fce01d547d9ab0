package dev.handoff.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/// Options of every command.
final class CommonOptions {

  @Option(names = "--json", description = "Print the answer as JSON.")
  boolean json;

  @Option(names = "--verbose", description = "Print the stack trace of an error.")
  boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /// Options of the parsed subcommand.
  static CommonOptions of(ParseResult parsed) {
    var last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    var mixin = last.commandSpec().mixins().get("common");
    return mixin == null ? new CommonOptions() : (CommonOptions) mixin.userObject();
  }
}
