package dev.handoff.internal.facade;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.context.assembly.Assembler;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/// Requests for context.
public record ContextCalls(RunningEngine engine) {

  private static final Duration LONGEST_ASSEMBLY = Duration.ofHours(1);

  /// Assembles context until the token is cancelled. The stage never fails.
  public CompletionStage<ContextAnswer> assemble(ContextRequest request, CancellationToken stop) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(stop, "stop");
    return engine
        .calls()
        .<Assembler.Command, Assembler.Answered, ContextAnswer>answer(
            engine.doors().assembler(),
            replyTo -> new Assembler.Assemble(request, stop, replyTo),
            LONGEST_ASSEMBLY,
            (answered, failure) ->
                answered == null
                    ? new ContextAnswer.Unavailable(
                        UnavailableReasons.of(failure), engine.settings().ledger().retryAfter())
                    : answered.answer());
  }
}
