package dev.handoff.plan.change;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/// What a changeset holds, in order. A committed one is kept as a blob in this form.
public record SetBody(
    List<Entry> entries, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Decided> decisions) {

  public SetBody {
    entries = entries == null ? List.of() : List.copyOf(entries);
    decisions = decisions == null ? List.of() : List.copyOf(decisions);
  }

  @JsonIgnore
  public boolean isEmpty() {
    return entries.isEmpty() && decisions.isEmpty();
  }
}
