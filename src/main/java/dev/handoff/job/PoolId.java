package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// The id of a worker pool: new with every start of a node, so that a dead pool is never taken for
/// a living one.
public record PoolId(@JsonValue String value) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PoolId {}

  @Override
  public String toString() {
    return value;
  }
}
