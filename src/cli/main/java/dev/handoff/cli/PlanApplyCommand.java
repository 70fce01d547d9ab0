package dev.handoff.cli;

import dev.handoff.json.ChangesJson;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Command `plan apply`: writes the changes of a plan to a directory.
@Command(
    name = "apply",
    description =
        "Writes all committed changes of a plan to a directory, or none. If files differ from"
            + " the state that the plan started from, or conflicts are undecided, it lists"
            + " them and writes nothing. Idempotent.")
final class PlanApplyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The directory; created if it does not exist and its parent does.")
  private Path target;

  @Option(names = "--check", description = "Only show what would be written.")
  private boolean check;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanApplyCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var id = plan.id();
    checkTarget();
    var info = store.look(id, plan);
    var again = NextCommand.of(info, store);
    notice(info, again);
    var answer = run(new ApplyRun(() -> store.own(id, plan), info, target, check, again));
    if (common.json) {
      streams.out().println(JsonText.of(ChangesJson.write(answer)));
    } else if (exitCode(answer) == ExitCode.OK) {
      streams.out().print(new ApplyText(again, streams.screenOnOut()).of(answer));
    } else {
      streams.err().print(new ApplyText(again, streams.screenOnErr()).of(answer));
    }
    return exitCode(answer);
  }

  private ApplyAnswer run(ApplyRun apply) {
    var stop = new CompletableFuture<String>();
    var screen = streams.screenOnErr();
    var left = "the next command that owns the store finishes or undoes the apply\n";
    var signals = StopSignals.passTo(stop::complete, () -> screen.sayLast(left + apply.next()));
    try {
      return apply.run(stop, screen::say);
    } finally {
      signals.close();
    }
  }

  /// Prints a note for a plan that has not succeeded: committed changesets are complete, but the
  /// user may expect more.
  private void notice(PlanInfo info, NextCommand again) {
    var how =
        switch (info.status()) {
          case SUCCEEDED -> "";
          case FAILED -> "has failed";
          case CANCELLED -> "was cancelled";
          case RUNNING, WAITING, CANCELLING, FAILING -> "is not finished";
        };
    if (!how.isEmpty()) {
      streams
          .err()
          .println(
              "note: the plan %s; only its committed changes are applied (to go on: %s)"
                  .formatted(how, again.retry()));
    }
  }

  private void checkTarget() {
    if (Files.exists(target) && !Files.isDirectory(target)) {
      throw new ParameterException(
          spec.commandLine(),
          "%s is not a directory: --to needs the directory to write to".formatted(target));
    }
    var above = target.toAbsolutePath().getParent();
    if (!Files.exists(target) && above != null && !Files.isDirectory(above)) {
      throw new CommandFailedException(
          ExitCode.NOT_FOUND,
          "%s does not exist, nor does its parent directory: create that first".formatted(target));
    }
  }

  private static int exitCode(ApplyAnswer answer) {
    return switch (answer) {
      case ApplyAnswer.Applied done -> ExitCode.OK;
      case ApplyAnswer.Possible would -> ExitCode.OK;
      case ApplyAnswer.AlreadyApplied already -> ExitCode.OK;
      case ApplyAnswer.NothingToApply none -> ExitCode.OK;
      case ApplyAnswer.Conflicted not -> ExitCode.FAILED;
      case ApplyAnswer.Undone not -> ExitCode.FAILED;
      case ApplyAnswer.Busy not -> ExitCode.REFUSED;
      case ApplyAnswer.NotPossible not -> ExitCode.REFUSED;
      case ApplyAnswer.NotFound not -> ExitCode.NOT_FOUND;
      case ApplyAnswer.Unavailable not -> ExitCode.UNREACHABLE;
    };
  }
}
