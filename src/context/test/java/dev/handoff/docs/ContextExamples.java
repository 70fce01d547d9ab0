package dev.handoff.docs;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.context.Assembled;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelineParts;
import java.nio.file.Path;

/// Examples quoted in `docs/context.md`.
final class ContextExamples {

  private ContextExamples() {}

  // #asking
  static String ask(Handoff handoff, String question) {
    var request = ContextRequest.of(question, Path.of(".")).budget(4_000);
    return switch (handoff.assemble(request).toCompletableFuture().join()) {
      case Assembled context -> context.text();
      case ContextAnswer.NotAssembled none -> "no context: " + none.reason();
    };
  }

  // #asking

  // #handler
  static String handle(String question, JobContext job) {
    var request = ContextRequest.of(question, Path.of(".")).budget(4_000);
    return job.context(request).toCompletableFuture().join().orThrow().text();
  }

  // #handler

  // #parts
  static HandoffBuilder replace(
      HandoffBuilder builder, PipelinePart.Scorer mine, PipelinePart.Packer another) {
    return builder
        .contextParts(PipelineParts.NONE.with(PipelinePart.Scorer.class, mine)) // everywhere
        .contextParts(
            "site",
            PipelineParts.NONE.with(PipelinePart.Packer.class, another)); // for .project("site")
  }

  static ContextRequest replace(ContextRequest request, PipelinePart.Orderer third) {
    return request.parts(
        PipelineParts.NONE.with(PipelinePart.Orderer.class, third)); // for one request, or plan
  }
  // #parts
}
