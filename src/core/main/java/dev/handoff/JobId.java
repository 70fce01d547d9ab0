package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.internal.text.SafeText;
import dev.handoff.internal.text.Ulid;

/// Id of a job: a ULID that contains the job's partition, 26 characters, ordered by time.
public record JobId(@JsonValue String value) implements EntityId {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public JobId {
    if (!Ulid.isValid(value)) {
      throw new IllegalArgumentException(
          "\""
              + SafeText.shown(value)
              + "\" is not a job id: an id has 26 characters of 0-9 and A-Z without I, L, O, U");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
