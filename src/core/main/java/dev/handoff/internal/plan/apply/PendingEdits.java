package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.ApplyOutcome;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.WrittenApply;
import dev.handoff.internal.plan.change.ChangesetLoader;
import dev.handoff.internal.plan.change.CombinedChanges;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.internal.plan.change.LoadedChangeset;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Pending edits of a plan for one directory: its combined changes without earlier writes that are
/// still in place.
///
/// @param altered files written earlier and not due again, whose content another program has
///   changed
/// @param disagreements unresolved conflicts between steps
/// @param contents stored and merged contents
/// @param written apply of exactly these changesets to this directory; null = none
record PendingEdits(
    String target,
    List<FileEdit> edits,
    List<FileConflict> altered,
    List<ApplyAnswer.Problem> disagreements,
    ContentReader contents,
    @Nullable WrittenApply written) {

  /// Computes the pending edits. Blocks.
  ///
  /// @param sets number of changesets of the chain to write
  /// @throws dev.handoff.plan.UnreadableChanges if a content is missing or damaged
  static PendingEdits of(PlanState plan, String target, int sets, ContentReader contents) {
    var book = plan.book();
    var parts = ChangesetLoader.load(book.chain().subList(0, sets), contents);
    var net = CombinedChanges.of(parts, book.resolutions(), contents);
    var before = book.lastApplied(target);
    var earlier =
        before
            .map(
                apply ->
                    CombinedChanges.of(
                        parts.subList(0, apply.sets()), book.resolutions(), contents))
            .map(written -> EarlierWrite.of(written, target))
            .orElse(EarlierWrite.NOTHING);
    var edits = net.since(earlier.there());
    return new PendingEdits(
        target,
        edits,
        altered(earlier, edits),
        problems(net.conflicts(), parts),
        net.over(contents),
        before.filter(apply -> apply.sets() == sets).orElse(null));
  }

  /// Altered files without pending edits. The apply itself compares those with pending edits.
  private static List<FileConflict> altered(EarlierWrite earlier, List<FileEdit> edits) {
    var written = edits.stream().map(FileEdit::path).collect(Collectors.toSet());
    return earlier.altered().stream().filter(file -> !written.contains(file.path())).toList();
  }

  /// Copy without files already up to date.
  PendingEdits without(List<FileConflict> already) {
    var paths = already.stream().map(FileConflict::path).collect(Collectors.toSet());
    var left = edits.stream().filter(edit -> !paths.contains(edit.path())).toList();
    return new PendingEdits(target, left, altered, disagreements, contents, written);
  }

  private static List<ApplyAnswer.Problem> problems(
      List<PlanConflict.Entry> conflicts, List<LoadedChangeset> parts) {
    var labels =
        parts.stream()
            .collect(
                Collectors.toMap(
                    LoadedChangeset::changeset, LoadedChangeset::label, (one, same) -> one));
    return conflicts.stream().map(conflict -> problem(conflict, labels)).toList();
  }

  private static ApplyAnswer.Problem problem(
      PlanConflict.Entry conflict, Map<String, String> labels) {
    var ours = labels.getOrDefault(conflict.oursFrom(), conflict.oursFrom());
    var theirs = labels.getOrDefault(conflict.theirsFrom(), conflict.theirsFrom());
    return new ApplyAnswer.Problem(
        conflict.path(),
        "%s and %s disagree: %s".formatted(ours, theirs, why(conflict.why())),
        sha(conflict.ancestor()),
        sha(conflict.ours()),
        sha(conflict.theirs()),
        List.of(ours, theirs));
  }

  private static String why(PlanConflict.Why why) {
    return switch (why) {
      case SAME_LINES -> "they changed the same lines";
      case BOTH_CREATED -> "both created it";
      case DELETED_AND_CHANGED -> "one deleted what the other changed";
      case FILE_AND_DIRECTORY -> "one made a file, the other a directory with files in it";
      case NOT_TEXT -> "it is no text, and both changed it";
      case TOO_LARGE -> "it is too large to be merged";
    };
  }

  private static @Nullable String sha(@Nullable ContentRef content) {
    return content == null ? null : content.sha256();
  }

  /// Outcome with obstacles: files in the directory that differ from both sides of the change.
  ApplyOutcome conflicted(List<FileConflict> conflicts) {
    return new ApplyOutcome.Conflicted(
        target,
        Stream.concat(altered.stream(), conflicts.stream())
            .filter(conflict -> conflict.found() != Obstacle.ALREADY)
            .sorted(Comparator.comparing(FileConflict::path))
            .map(
                one ->
                    new ApplyAnswer.Problem(one.path(), one.reason(), null, null, null, List.of()))
            .toList());
  }

  ApplyOutcome already() {
    return new ApplyOutcome.Already(target, written);
  }

  List<ApplyAnswer.File> files() {
    return edits.stream()
        .map(
            edit ->
                new ApplyAnswer.File(
                    edit.path(),
                    edit.after() == null
                        ? "deleted"
                        : edit.before() == null ? "created" : "modified",
                    edit.after() == null ? 0 : edit.after().bytes()))
        .toList();
  }
}
