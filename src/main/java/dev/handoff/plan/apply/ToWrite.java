package dev.handoff.plan.apply;

import dev.handoff.plan.Applied;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Net;
import dev.handoff.plan.change.Part;
import dev.handoff.plan.change.Parts;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is left to be written of a plan to a directory: all that its changesets come to, without
/// what was written there before and is still there.
///
/// @param altered what was written before, has not to be written again, and is something else by
///   now
/// @param disagreements conflicts between steps that nobody has resolved
/// @param contents those of the store, and those that were merged
/// @param written the apply of just these changesets to this directory; null = there was none
record ToWrite(
    String target,
    List<FileEdit> edits,
    List<FileConflict> altered,
    List<ApplyOutcome.Problem> disagreements,
    Contents contents,
    @Nullable Applied written) {

  /// Blocks.
  ///
  /// @param sets how many changesets of the chain are to be written
  /// @throws dev.handoff.plan.change.UnreadableChanges if a content is missing or damaged
  static ToWrite of(PlanState plan, String target, int sets, Contents contents) {
    var book = plan.book();
    var parts = Parts.load(book.chain().subList(0, sets), contents);
    var net = Net.of(parts, book.resolutions(), contents);
    var before = book.lastApplied(target);
    var standing =
        before
            .map(apply -> Net.of(parts.subList(0, apply.sets()), book.resolutions(), contents))
            .map(written -> Standing.of(written, target))
            .orElse(Standing.NOTHING);
    var edits = net.since(standing.there()).stream().map(FileEdit::of).toList();
    return new ToWrite(
        target,
        edits,
        altered(standing, edits),
        problems(net.conflicts(), parts),
        net.over(contents),
        before.filter(apply -> apply.sets() == sets).orElse(null));
  }

  /// What is to be written anew is looked at when it is.
  private static List<FileConflict> altered(Standing standing, List<FileEdit> edits) {
    var written = edits.stream().map(FileEdit::path).collect(Collectors.toSet());
    return standing.altered().stream().filter(file -> !written.contains(file.path())).toList();
  }

  /// The same without files that are already as they are to be.
  ToWrite without(List<FileConflict> already) {
    var paths = already.stream().map(FileConflict::path).collect(Collectors.toSet());
    var left = edits.stream().filter(edit -> !paths.contains(edit.path())).toList();
    return new ToWrite(target, left, altered, disagreements, contents, written);
  }

  private static List<ApplyOutcome.Problem> problems(List<Conflict> conflicts, List<Part> parts) {
    var labels =
        parts.stream().collect(Collectors.toMap(Part::changeset, Part::label, (one, same) -> one));
    return conflicts.stream().map(conflict -> problem(conflict, labels)).toList();
  }

  private static ApplyOutcome.Problem problem(Conflict conflict, Map<String, String> labels) {
    var ours = labels.getOrDefault(conflict.oursFrom(), conflict.oursFrom());
    var theirs = labels.getOrDefault(conflict.theirsFrom(), conflict.theirsFrom());
    return new ApplyOutcome.Problem(
        conflict.path(),
        "%s and %s disagree: %s".formatted(ours, theirs, why(conflict.why())),
        sha(conflict.ancestor()),
        sha(conflict.ours()),
        sha(conflict.theirs()),
        List.of(ours, theirs));
  }

  private static String why(Conflict.Why why) {
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

  /// What is in the way in the directory. What is already as it is to be is not.
  ApplyOutcome conflicted(List<FileConflict> conflicts) {
    return new ApplyOutcome.Conflicted(
        target,
        Stream.concat(altered.stream(), conflicts.stream())
            .filter(conflict -> conflict.found() != Found.ALREADY)
            .sorted(Comparator.comparing(FileConflict::path))
            .map(
                one ->
                    new ApplyOutcome.Problem(one.path(), one.reason(), null, null, null, List.of()))
            .toList());
  }

  ApplyOutcome already() {
    return new ApplyOutcome.Already(target, written);
  }

  List<ApplyOutcome.File> files() {
    return edits.stream()
        .map(
            edit ->
                new ApplyOutcome.File(
                    edit.path(),
                    edit.after() == null
                        ? "deleted"
                        : edit.before() == null ? "created" : "modified",
                    edit.after() == null ? 0 : edit.after().bytes()))
        .toList();
  }
}
