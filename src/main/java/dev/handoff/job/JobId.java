package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.ledger.EntityId;
import dev.handoff.ledger.Ulid;

/// The id of a job: a [Ulid] that carries the job's partition.
public record JobId(@JsonValue String value) implements EntityId {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public JobId {
    if (!Ulid.isValid(value)) {
      throw new IllegalArgumentException(
          "\""
              + Text.shown(value)
              + "\" is not a job id: an id has 26 characters of 0-9 and A-Z without I, L, O, U");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
