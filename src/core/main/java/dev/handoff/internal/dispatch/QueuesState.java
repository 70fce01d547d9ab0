package dev.handoff.internal.dispatch;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.handoff.EntityId;
import dev.handoff.internal.ledger.EntityState;
import java.util.HashMap;
import java.util.Map;

/// All queue rules, stored in the ledger of partition 0.
@JsonTypeName("queues")
public record QueuesState(long version, Map<String, QueueRule> rules) implements EntityState {

  public static final QueuesState NONE = new QueuesState(0, Map.of());

  /// Id of the single instance.
  public static final EntityId ID = new Id("queues");

  private record Id(String value) implements EntityId {
    @Override
    public int partition() {
      return 0;
    }
  }

  public QueuesState {
    rules = Map.copyOf(rules);
  }

  @Override
  @JsonIgnore
  public EntityId id() {
    return ID;
  }

  @Override
  @JsonIgnore
  public boolean ended() {
    return false;
  }

  public QueueRule rule(String queue) {
    return rules.getOrDefault(queue, QueueRule.NONE);
  }

  public QueuesState apply(QueueFact fact) {
    return switch (fact) {
      case QueueFact.RuleSet(var queue, var rule, var at) -> {
        var next = new HashMap<>(rules);
        next.put(queue, rule);
        next.values().removeIf(QueueRule.NONE::equals);
        yield new QueuesState(version + 1, next);
      }
    };
  }
}
