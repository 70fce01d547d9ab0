package dev.handoff.job;

import dev.handoff.ledger.WireMessage;
import java.util.List;

/// The answers to submissions that were sent together, in their order.
public record SubmitReplies(List<SubmitReply> replies) implements WireMessage {
  public SubmitReplies {
    replies = List.copyOf(replies);
  }
}
