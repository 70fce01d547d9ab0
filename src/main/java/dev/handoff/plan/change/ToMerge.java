package dev.handoff.plan.change;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An entry that did not find what the ones before it had left.
///
/// @param ours what they had left
/// @param oursMerged its content if that is the result of a merge, and in no store
/// @param oursFrom the last changeset that this comes from
record ToMerge(
    Fold fold,
    Fold.Step step,
    @Nullable ContentRef ours,
    byte @Nullable [] oursMerged,
    String oursFrom) {

  /// Three of that size are read together.
  static final long MOST_BYTES = Slices.MOST_BYTES / 4;

  Conflict conflict(Conflict.Why why) {
    var entry = step.entry();
    return new Conflict(
        fold.path(), entry.before(), ours, entry.after(), oursFrom, step.changeset(), why);
  }

  /// Why there is no need to look at the contents; empty if they have to be merged.
  Optional<Conflict.Why> hopeless() {
    var entry = step.entry();
    if (ours == null || entry.after() == null) {
      return Optional.of(Conflict.Why.DELETED_AND_CHANGED);
    }
    if (entry.before() == null) {
      return Optional.of(Conflict.Why.BOTH_CREATED);
    }
    boolean large =
        ours.bytes() > MOST_BYTES
            || entry.before().bytes() > MOST_BYTES
            || entry.after().bytes() > MOST_BYTES;
    return large ? Optional.of(Conflict.Why.TOO_LARGE) : Optional.empty();
  }

  long bytes() {
    var entry = step.entry();
    return Slices.bytes(entry.before()) + Slices.bytes(ours) + Slices.bytes(entry.after());
  }

  void ask(Wanted wanted) {
    var place =
        "The content of \"" + fold.path() + "\" in " + Parts.shown(step.changeset(), step.label());
    wanted.add(step.entry().before(), place);
    wanted.add(step.entry().after(), place);
    if (oursMerged == null) {
      wanted.add(ours, "The content of \"" + fold.path() + "\" after changeset " + oursFrom);
    }
  }

  /// Merges, and tells the fold.
  void run(Map<String, byte[]> contents) {
    var ancestor = content(step.entry().before(), contents);
    var mine = oursMerged == null ? content(ours, contents) : oursMerged;
    var theirs = content(step.entry().after(), contents);
    if (!TextRule.isText(ancestor) || !TextRule.isText(mine) || !TextRule.isText(theirs)) {
      fold.conflicts(this, Conflict.Why.NOT_TEXT);
      return;
    }
    Merge.of(ancestor, mine, theirs)
        .ifPresentOrElse(
            merged -> fold.becomes(this, merged),
            () -> fold.conflicts(this, Conflict.Why.SAME_LINES));
  }

  private static byte[] content(@Nullable ContentRef ref, Map<String, byte[]> contents) {
    return Objects.requireNonNull(contents.get(Objects.requireNonNull(ref).sha256()));
  }
}
