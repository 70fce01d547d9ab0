package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Id of a worker pool, new with each start of a node, so that a dead pool is never confused with a
/// live one.
public record PoolId(@JsonValue String value) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PoolId {}

  @Override
  public String toString() {
    return value;
  }
}
