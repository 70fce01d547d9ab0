package dev.handoff.cli;

import dev.handoff.cli.PlanOpening.Before;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.PlanStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Command `plan retry`: continues a plan.
@Command(
    name = "retry",
    description =
        "Continues a plan that failed, was cancelled or is unfinished, under the same id, and"
            + " runs it to its end: steps that have succeeded stay as they are, all others run.")
final class PlanRetryCommand implements Callable<Integer> {

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanRetryCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    work.check();
    var info = look(plan.id());
    var steps = NextCommand.stepsByType(info);
    var types = steps.keySet();
    refuseUnknown(steps, work.handlers().types());
    return new PlanEngine(streams, store, work, common.json).run(opening(info, types));
  }

  private PlanInfo look(PlanId id) {
    var info = store.look(id, plan);
    if (info.root().isPresent()) {
      throw new CommandFailedException(
          ExitCode.REFUSED,
          "plan %s is step %s of plan %s: retry that one"
              .formatted(id, TerminalText.line(info.path().orElseThrow()), info.root().get()));
    }
    if (info.status() == PlanStatus.SUCCEEDED) {
      throw new CommandFailedException(
          ExitCode.REFUSED, "plan %s has succeeded: nothing is left to run".formatted(id));
    }
    return info;
  }

  private static void refuseUnknown(Map<String, List<String>> steps, Set<String> known) {
    var unknown = new TreeSet<>(steps.keySet());
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw PlanRunCommand.unknown(unknown, known, steps);
    }
  }

  private static PlanOpening opening(PlanInfo info, Set<String> types) {
    var id = info.id();
    var before = before(info);
    return new PlanOpening(
        id,
        types,
        before,
        handoff ->
            before == Before.GOES_ON ? handoff.plans().plan(id) : reopen(handoff.plans().plan(id)));
  }

  private static Before before(PlanInfo info) {
    if (info.status().isTerminal()) {
      return Before.RESTS;
    }
    return info.isStopping() ? Before.STOPS : Before.GOES_ON;
  }

  private static PlanHandle reopen(PlanHandle handle) {
    return switch (RunningApplies.awaitNone(handle).retry("cli").toCompletableFuture().join()) {
      case PlanRetryAnswer.Reopened(var opened) -> opened;
      case PlanRetryAnswer.NotPossible(var id, var reason) ->
          throw new CommandFailedException(
              ExitCode.REFUSED, "plan %s cannot be retried: %s".formatted(id, reason));
      case PlanRetryAnswer.NotFound(var id) ->
          throw new CommandFailedException(
              ExitCode.NOT_FOUND, "plan %s does not exist".formatted(id));
      case PlanRetryAnswer.Unavailable(var reason, var retryAfter) ->
          throw new CommandFailedException(ExitCode.UNREACHABLE, reason);
    };
  }
}
