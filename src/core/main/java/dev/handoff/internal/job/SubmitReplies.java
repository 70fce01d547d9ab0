package dev.handoff.internal.job;

import dev.handoff.internal.ledger.WireMessage;
import java.util.List;

/// Replies to a batch, in submission order.
public record SubmitReplies(List<SubmitReply> replies) implements WireMessage {
  public SubmitReplies {
    replies = List.copyOf(replies);
  }
}
