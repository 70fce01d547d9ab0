package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.job.Text;
import dev.handoff.ledger.EntityId;
import dev.handoff.ledger.Ulid;

/// The id of a plan: a ULID that carries the partition which the plan, its steps and its child
/// plans live in.
public record PlanId(@JsonValue String value) implements EntityId {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PlanId {
    if (!Ulid.isValid(value)) {
      throw new IllegalArgumentException(
          "\""
              + Text.shown(value)
              + "\" is not a plan id: an id has 26 characters of 0-9 and A-Z without I, L, O, U");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
