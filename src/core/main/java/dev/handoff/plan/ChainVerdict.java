package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import org.jspecify.annotations.Nullable;

/// Result of an audit of a chain of changesets.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ChainVerdict.Intact.class, name = "intact"),
  @JsonSubTypes.Type(value = ChainVerdict.Altered.class, name = "altered")
})
public sealed interface ChainVerdict extends NamedAnswer {

  /// Changesets, their order, their entries and the contents are unaltered.
  ///
  /// @param contents number of distinct contents
  /// @param head hash of the last changeset. A chain rewritten as a whole has another head: compare
  ///   it with a copy kept elsewhere
  record Intact(int sets, int entries, int contents, String head) implements ChainVerdict {}

  /// First alteration found.
  ///
  /// @param changeset id of the changeset; null = none
  /// @param entry number of the entry in the changeset, from 1; null if no single entry is affected
  /// @param path file of the entry, if known
  /// @param what problem, as a sentence
  record Altered(
      @Nullable String changeset,
      @Nullable String label,
      @Nullable Integer entry,
      @Nullable String path,
      String what)
      implements ChainVerdict {}
}
