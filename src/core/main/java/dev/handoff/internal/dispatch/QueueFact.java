package dev.handoff.internal.dispatch;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.ledger.StoredEvent;
import java.time.Instant;

/// Fact about the rules of queues.
@JsonSubTypes({@JsonSubTypes.Type(value = QueueFact.RuleSet.class, name = "queue-rule-set")})
public sealed interface QueueFact extends StoredEvent {

  record RuleSet(String queue, QueueRule rule, Instant at) implements QueueFact {}
}
