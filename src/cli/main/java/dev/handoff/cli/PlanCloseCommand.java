package dev.handoff.cli;

import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanHandle;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;

/// Command `plan close`: commits an open changeset left by a program.
@Command(
    name = "close",
    description =
        "Commits a changeset that a program has left open: its changes become a part of the"
            + " plan. No engine may have the store open.")
final class PlanCloseCommand extends PlanChangesetCommand {

  PlanCloseCommand(ProgramStreams streams) {
    super(streams, "closed");
  }

  @Override
  CompletionStage<ChangesetAnswer> end(PlanHandle handle, String id) {
    return handle.close(id);
  }
}
