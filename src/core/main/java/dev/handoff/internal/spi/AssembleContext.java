package dev.handoff.internal.spi;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// Request for a context; local to the node. Answered with [Answered] on success and on failure.
///
/// @param stop token that cancels the request
public record AssembleContext(
    ContextRequest request, CancellationToken stop, ActorRef<Answered> replyTo)
    implements NoSerializationVerificationNeeded {

  public record Answered(ContextAnswer answer) implements NoSerializationVerificationNeeded {}
}
