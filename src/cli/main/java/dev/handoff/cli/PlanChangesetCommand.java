package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.internal.facade.BoundedWait;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Ends an open changeset left by a program. A plan whose steps have all ended ends with its last
/// open changeset.
abstract class PlanChangesetCommand implements Callable<Integer> {

  private static final Duration LONGEST = Duration.ofSeconds(10);

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Parameters(index = "1", paramLabel = "CHANGESET", description = "The open changeset's id.")
  private String changeset;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;
  private final String done;

  /// @param done outcome of the changeset as one word
  PlanChangesetCommand(ProgramStreams streams, String done) {
    this.streams = streams;
    this.done = done;
  }

  abstract CompletionStage<ChangesetAnswer> end(PlanHandle handle, String id);

  @Override
  public Integer call() {
    var id = plan.id();
    try (var handoff = store.own(id, plan)) {
      var handle = RunningApplies.awaitNone(handoff.plans().plan(id));
      refuse(end(handle, changeset).toCompletableFuture().join());
      print(after(handle));
      return ExitCode.OK;
    }
  }

  private void refuse(ChangesetAnswer answer) {
    switch (answer) {
      case ChangesetAnswer.Done ended -> {}
      case ChangesetAnswer.ChangesetClosed(var set, boolean committed) ->
          throw refused(
              ExitCode.REFUSED,
              "changeset %s is not open any more: it was %s"
                  .formatted(TerminalText.line(set), committed ? "closed" : "discarded"));
      case ChangesetAnswer.UnknownChangeset(var set) ->
          throw refused(
              ExitCode.NOT_FOUND,
              "plan %s has no changeset %s (handoff plan show %s%s lists those that are open)"
                  .formatted(plan.id(), TerminalText.line(set), plan.id(), store.again()));
      case ChangesetAnswer.NotPossible(var reason) ->
          throw refused(ExitCode.REFUSED, "not possible: " + TerminalText.line(reason));
      case ChangesetAnswer.NotFound(var none) ->
          throw refused(ExitCode.NOT_FOUND, "plan %s does not exist".formatted(none));
      case ChangesetAnswer.Unavailable(var reason, var retryAfter) ->
          throw refused(ExitCode.UNREACHABLE, TerminalText.line(reason));
    }
  }

  private static CommandFailedException refused(int exitCode, String words) {
    return new CommandFailedException(exitCode, words);
  }

  /// Plan after its end, if the changeset was the last obstacle; otherwise its current state.
  private static PlanInfo after(PlanHandle handle) {
    var info = handle.info().toCompletableFuture().join().orElseThrow();
    if (OpenChangesetText.keeps(info) || !OpenChangesetText.allEnded(info)) {
      return info;
    }
    var ended = handle.ended().toCompletableFuture();
    return BoundedWait.forEnd(ended, LONGEST) ? ended.join() : info;
  }

  private void print(PlanInfo info) {
    if (common.json) {
      var json = JsonNodeFactory.instance.objectNode();
      json.put("id", info.id().value()).put("changeset", changeset).put("outcome", done);
      json.put("status", info.status().label());
      info.openChangesets().stream()
          .map(PlanInfo.OpenChangeset::id)
          .forEach(json.putArray("open")::add);
      streams.out().println(JsonText.of(json));
      return;
    }
    streams.out().println("changeset %s is %s".formatted(TerminalText.line(changeset), done));
    streams.out().println(next(info));
  }

  private String next(PlanInfo info) {
    if (info.status().isTerminal()) {
      return "plan %s has %s".formatted(info.id(), info.status().label());
    }
    var open = info.openChangesets().stream().map(PlanInfo.OpenChangeset::id).toList();
    return open.isEmpty()
        ? "the plan goes on with: " + NextCommand.of(info, store).retry()
        : "still open: " + TerminalText.line(PlanDiffCommand.some(open));
  }
}
