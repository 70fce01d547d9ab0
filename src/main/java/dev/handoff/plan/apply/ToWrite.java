package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.plan.Applied;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Difference;
import dev.handoff.plan.change.Net;
import dev.handoff.plan.change.Part;
import dev.handoff.plan.change.Parts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What is left to be written of a plan to a directory: all that its changesets come to, without
/// what was written there before and is still there.
///
/// @param disagreements conflicts between steps that nobody has resolved
/// @param contents those of the store, and those that were merged
/// @param written the apply of just these changesets to this directory; null = there was none
record ToWrite(
    String target,
    List<FileEdit> edits,
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
    var left =
        before.isEmpty()
            ? net.differences()
            : net.since(
                stillThere(
                    Net.of(parts.subList(0, before.get().sets()), book.resolutions(), contents),
                    target));
    return new ToWrite(
        target,
        left.stream().map(ToWrite::edit).toList(),
        problems(net.conflicts(), parts),
        net.over(contents),
        before.filter(apply -> apply.sets() == sets).orElse(null));
  }

  /// What is still there of what was written before. A file that somebody has put back to what it
  /// was before that is written again; one that holds something else is in the way.
  private static Net stillThere(Net written, String target) {
    var edits = written.differences().stream().map(ToWrite::edit).toList();
    var stop = new CancellationSource().token();
    return switch (Directory.at(Path.of(target)).check(edits, stop)) {
      case Checked.Already already -> written;
      case Checked.Refused refused -> written;
      case Checked.Fits reset -> new Net(List.of(), List.of(), Map.of());
      case Checked.Conflicted(var conflicts) -> {
        var there = conflicts.stream().map(FileConflict::path).collect(Collectors.toSet());
        yield new Net(
            written.changes().stream().filter(file -> there.contains(file.path())).toList(),
            List.of(),
            Map.of());
      }
    };
  }

  private static FileEdit edit(Difference file) {
    return new FileEdit(file.path(), file.before(), file.after());
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
      case NOT_TEXT -> "it is no text, and both changed it";
      case TOO_LARGE -> "it is too large to be merged";
    };
  }

  private static @Nullable String sha(@Nullable ContentRef content) {
    return content == null ? null : content.sha256();
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
