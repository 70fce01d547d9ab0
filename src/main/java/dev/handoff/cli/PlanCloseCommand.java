package dev.handoff.cli;

import dev.handoff.ChangesetAnswer;
import dev.handoff.PlanHandle;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;

/// Commits a changeset that a program has left open: what is in it becomes a part of the plan.
@Command(
    name = "close",
    description =
        "Commits a changeset that a program has left open: what is in it becomes a part of the"
            + " plan. No engine may have the store open.")
final class PlanCloseCommand extends PlanChangesetCommand {

  PlanCloseCommand(Streams streams) {
    super(streams, "closed");
  }

  @Override
  CompletionStage<ChangesetAnswer> end(PlanHandle handle, String id) {
    return handle.close(id);
  }
}
