package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Pending merge: an entry whose base differs from the current content.
///
/// @param ours current content
/// @param oursMerged bytes of `ours` if it is a merge result, which is not stored
/// @param oursFrom last changeset of the current content
record PendingMerge(
    FileFold fold,
    FileFold.Step step,
    @Nullable ContentRef ours,
    byte @Nullable [] oursMerged,
    String oursFrom) {

  /// Largest content to merge; three contents are in memory together.
  static final long MOST_BYTES = MemorySlices.MOST_BYTES / 4;

  PlanConflict.Entry conflict(PlanConflict.Why why) {
    var entry = step.entry();
    return new PlanConflict.Entry(
        fold.path(), entry.before(), ours, entry.after(), oursFrom, step.changeset(), why);
  }

  /// Conflict that needs no look at the contents; empty if a merge is possible.
  Optional<PlanConflict.Why> hopeless() {
    var entry = step.entry();
    if (ours == null || entry.after() == null) {
      return Optional.of(PlanConflict.Why.DELETED_AND_CHANGED);
    }
    if (entry.before() == null) {
      return Optional.of(PlanConflict.Why.BOTH_CREATED);
    }
    boolean large =
        ours.bytes() > MOST_BYTES
            || entry.before().bytes() > MOST_BYTES
            || entry.after().bytes() > MOST_BYTES;
    return large ? Optional.of(PlanConflict.Why.TOO_LARGE) : Optional.empty();
  }

  long bytes() {
    var entry = step.entry();
    return MemorySlices.bytes(entry.before())
        + MemorySlices.bytes(ours)
        + MemorySlices.bytes(entry.after());
  }

  void ask(ContentRequest wanted) {
    var place =
        "The content of \""
            + fold.path()
            + "\" in "
            + ChangesetLoader.shown(step.changeset(), step.label());
    wanted.add(step.entry().before(), place);
    wanted.add(step.entry().after(), place);
    if (oursMerged == null) {
      wanted.add(ours, "The content of \"" + fold.path() + "\" after changeset " + oursFrom);
    }
  }

  /// Merges, and passes the result to the fold.
  void run(Map<String, byte[]> contents) {
    var ancestor = content(step.entry().before(), contents);
    var mine = oursMerged == null ? content(ours, contents) : oursMerged;
    var theirs = content(step.entry().after(), contents);
    if (!TextRule.isText(ancestor) || !TextRule.isText(mine) || !TextRule.isText(theirs)) {
      fold.conflicts(this, PlanConflict.Why.NOT_TEXT);
      return;
    }
    TextMerge.of(ancestor, mine, theirs)
        .ifPresentOrElse(
            merged -> fold.becomes(this, merged),
            () -> fold.conflicts(this, PlanConflict.Why.SAME_LINES));
  }

  private static byte[] content(@Nullable ContentRef ref, Map<String, byte[]> contents) {
    return Objects.requireNonNull(contents.get(Objects.requireNonNull(ref).sha256()));
  }
}
