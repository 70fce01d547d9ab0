package dev.handoff.plan.change;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import org.jspecify.annotations.Nullable;

/// Whether a chain of changesets is as it was committed.
@JsonSubTypes({
  @JsonSubTypes.Type(value = Verdict.Intact.class, name = "intact"),
  @JsonSubTypes.Type(value = Verdict.Altered.class, name = "altered")
})
public sealed interface Verdict extends NamedAnswer {

  /// Nothing was altered: not the sets, their order, their entries or the contents that those name.
  ///
  /// @param contents how many different contents there are
  /// @param head the hash of the last set. Who rewrites all of a chain ends up at another one: kept
  ///   elsewhere, it tells
  record Intact(int sets, int entries, int contents, String head) implements Verdict {}

  /// Something was altered; this is the first of it.
  ///
  /// @param changeset the id of the set; null if there is none
  /// @param entry its number in the set, from 1; null if it cannot be said of one entry
  /// @param path the file of the entry, as far as it is known
  /// @param what is wrong, as a sentence
  record Altered(
      @Nullable String changeset,
      @Nullable String label,
      @Nullable Integer entry,
      @Nullable String path,
      String what)
      implements Verdict {}
}
