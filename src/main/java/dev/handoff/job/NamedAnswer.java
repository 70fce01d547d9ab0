package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// One of several answers that there may be. In JSON its property `outcome` says which, by a name
/// that stays: `{"outcome":"key-conflict",…}`.
///
/// The sealed type lists the names with `@JsonSubTypes`, for writing and for reading.
@JsonTypeInfo(
    use = JsonTypeInfo.Id.NAME,
    include = JsonTypeInfo.As.EXISTING_PROPERTY,
    property = "outcome")
public interface NamedAnswer {

  /// The name of the answer, such as `key-conflict`.
  @JsonProperty(value = "outcome", access = JsonProperty.Access.READ_ONLY)
  default String outcome() {
    return AnswerNames.of(getClass());
  }
}
