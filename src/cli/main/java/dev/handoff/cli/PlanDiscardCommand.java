package dev.handoff.cli;

import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanHandle;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;

/// Command `plan discard`: drops an open changeset left by a program.
@Command(
    name = "discard",
    description =
        "Drops a changeset that a program has left open, with everything in it."
            + " No engine may have the store open.")
final class PlanDiscardCommand extends PlanChangesetCommand {

  PlanDiscardCommand(ProgramStreams streams) {
    super(streams, "discarded");
  }

  @Override
  CompletionStage<ChangesetAnswer> end(PlanHandle handle, String id) {
    return handle.discard(id);
  }
}
