package dev.handoff.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// One case of a sealed answer type. In JSON its property `outcome` names the case, with a stable
/// name: `{"outcome":"key-conflict",…}`.
///
/// The sealed type lists the names with `@JsonSubTypes`, for writing and for reading.
@JsonTypeInfo(
    use = JsonTypeInfo.Id.NAME,
    include = JsonTypeInfo.As.EXISTING_PROPERTY,
    property = "outcome")
public interface NamedAnswer {

  /// Name of the answer, such as `key-conflict`.
  @JsonProperty(value = "outcome", access = JsonProperty.Access.READ_ONLY)
  default String outcome() {
    return AnswerNames.of(getClass());
  }
}
