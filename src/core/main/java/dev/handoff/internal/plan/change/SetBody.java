package dev.handoff.internal.plan.change;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/// Body of a changeset: its entries and decisions in order. Stored as a blob when committed.
public record SetBody(
    List<ChangeEntry> entries,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AttemptDecision> decisions) {

  public SetBody {
    entries = entries == null ? List.of() : List.copyOf(entries);
    decisions = decisions == null ? List.of() : List.copyOf(decisions);
  }

  @JsonIgnore
  public boolean isEmpty() {
    return entries.isEmpty() && decisions.isEmpty();
  }
}
