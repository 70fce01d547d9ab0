package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.EntityId;
import dev.handoff.internal.text.SafeText;
import dev.handoff.internal.text.Ulid;

/// Id of a plan: a ULID that contains the partition of the plan, its steps and its child plans.
public record PlanId(@JsonValue String value) implements EntityId {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PlanId {
    if (!Ulid.isValid(value)) {
      throw new IllegalArgumentException(
          "\""
              + SafeText.shown(value)
              + "\" is not a plan id: an id has 26 characters of 0-9 and A-Z without I, L, O, U");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
