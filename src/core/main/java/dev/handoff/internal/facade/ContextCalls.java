package dev.handoff.internal.facade;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.internal.spi.ContextService;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;

/// Requests for context.
public record ContextCalls(RunningEngine engine) {

  private static final Duration LONGEST_ASSEMBLY = Duration.ofHours(1);

  /// Assembles context until the token is cancelled. The stage never fails.
  public CompletionStage<ContextAnswer> assemble(ContextRequest request, CancellationToken stop) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(stop, "stop");
    return engine
        .doors()
        .assembler()
        .<CompletionStage<ContextAnswer>>map(assembler -> ask(assembler, request, stop))
        .orElseGet(
            () ->
                CompletableFuture.completedStage(
                    new ContextAnswer.NotInstalled(ContextService.ARTIFACT)));
  }

  private CompletionStage<ContextAnswer> ask(
      ActorRef<AssembleContext> assembler, ContextRequest request, CancellationToken stop) {
    return engine
        .calls()
        .<AssembleContext, AssembleContext.Answered, ContextAnswer>answer(
            assembler,
            replyTo -> new AssembleContext(request, stop, replyTo),
            LONGEST_ASSEMBLY,
            (answered, failure) ->
                answered == null
                    ? new ContextAnswer.Unavailable(
                        UnavailableReasons.of(failure), engine.settings().ledger().retryAfter())
                    : answered.answer());
  }
}
