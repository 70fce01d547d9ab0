package dev.handoff.cli;

import dev.handoff.cli.Screen.Style;
import dev.handoff.json.ChangesJson;
import dev.handoff.plan.ChainVerdict;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Command `plan verify`: checks the integrity of a plan's committed changes.
@Command(
    name = "verify",
    description =
        "Verifies that nothing that a plan has committed was altered: every changeset, their"
            + " order, every change and every content. Only reads: no engine may have the"
            + " store open.")
final class PlanVerifyCommand implements Callable<Integer> {

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanVerifyCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var id = plan.id();
    try (var reader = store.read()) {
      var verdict = reader.verify(id).orElseThrow(() -> plan.missing(reader, store.again()));
      streams
          .out()
          .println(
              common.json
                  ? JsonText.of(ChangesJson.write(verdict))
                  : text(verdict, streams.screenOnOut()));
      return verdict instanceof ChainVerdict.Intact ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  static String text(ChainVerdict verdict, Screen screen) {
    return switch (verdict) {
      case ChainVerdict.Intact(int sets, int entries, int contents, var head) ->
          "%s: %s, %s, %s\nhead %s"
              .formatted(
                  screen.styled(Style.GREEN, "intact"),
                  PlanText.count(sets, "changeset"),
                  PlanText.count(entries, "change"),
                  PlanText.count(contents, "content"),
                  head);
      case ChainVerdict.Altered(var changeset, var label, var entry, var path, var what) ->
          "%s: %s%s%s%s"
              .formatted(
                  screen.styled(Style.RED, "altered"),
                  TerminalText.line(what),
                  changeset == null ? "" : "\nchangeset " + TerminalText.line(changeset),
                  entry == null ? "" : ", change " + entry,
                  path == null ? "" : ", file " + TerminalText.line(path));
    };
  }
}
