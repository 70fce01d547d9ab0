package dev.handoff.internal.facade.plan;

import dev.handoff.InvalidRequestException;
import dev.handoff.internal.plan.LedgerAudit;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.internal.plan.change.ChangesetLoader;
import dev.handoff.internal.plan.change.CombinedChanges;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.plan.change.Diff;
import dev.handoff.internal.plan.change.LoadedChangeset;
import dev.handoff.internal.text.BoundedText;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Views of a plan's changes, computed from its state and the stored contents. Every method blocks:
/// do not call it on an actor's thread.
///
/// @param root topmost plan, which stores the changes of all plans below
record PlanChangeViews(PlanState root, ContentReader contents) {

  /// Maximum size of a diff. The text is built in memory, and an engine that runs out of memory
  /// ends.
  static final int MOST_TEXT = 64 << 20;

  /// Diff of a plan: all changes for the topmost plan, its own changes for a child plan.
  PlanDiff diffOf(PlanState plan) {
    var origin = plan.spec().origin();
    return origin == null ? diff() : diffOfStep(origin.path());
  }

  /// Diff of all committed changesets.
  PlanDiff diff() {
    return diff(net());
  }

  /// Diff of one changeset, committed or open; empty if the changeset does not exist.
  Optional<PlanDiff> diff(String changeset) {
    var open = root.book().open(changeset);
    if (open.isPresent()) {
      var set = open.get();
      var part =
          new LoadedChangeset(
              set.id(), set.label(), ChangesetAuthor.caller(set.by()), set.entries());
      return Optional.of(diff(CombinedChanges.of(List.of(part), List.of(), contents)));
    }
    return root.book().committed(changeset).map(set -> diffOf(one -> one == set));
  }

  /// Diff of a step, or of all steps of a child plan.
  ///
  /// @param path path of the step, with `/` between child plans and their steps
  PlanDiff diffOfStep(String path) {
    return diffOf(
        set -> {
          var step = set.by().step();
          return step != null && (step.equals(path) || step.startsWith(path + "/"));
        });
  }

  private PlanDiff diffOf(Predicate<Changeset> wanted) {
    var sets = root.book().chain().stream().filter(wanted).toList();
    return diff(CombinedChanges.of(ChangesetLoader.load(sets, contents), List.of(), contents));
  }

  private PlanDiff diff(CombinedChanges net) {
    var text = new BoundedText(MOST_TEXT);
    try {
      var report = Diff.write(net.differences(), net.over(contents), text);
      return new PlanDiff(text.toString(), report, net.conflicts());
    } catch (BoundedText.Full tooLong) {
      throw new InvalidRequestException(
          List.of(
              "the difference of plan %s has more than %,d characters: ask for that of one changeset"
                      .formatted(root.id(), MOST_TEXT)
                  + " or step at a time"));
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
  }

  /// Unresolved conflict of a file, or the conflict of its last decision. Such a decision can be
  /// replaced until an apply has written it.
  Optional<PlanConflict.Entry> toDecide(String path) {
    var decisions = root.book().resolutions();
    var last = decisions.reversed().stream().filter(one -> one.path().equals(path)).findFirst();
    return in(net(), path)
        .or(
            () ->
                last.flatMap(
                    decided -> {
                      var others = decisions.stream().filter(one -> one != decided).toList();
                      var parts = ChangesetLoader.load(root.book().chain(), contents);
                      return in(CombinedChanges.of(parts, others, contents), path);
                    }));
  }

  private static Optional<PlanConflict.Entry> in(CombinedChanges net, String path) {
    return net.conflicts().stream().filter(one -> one.path().equals(path)).findFirst();
  }

  /// Unresolved conflicts.
  List<PlanConflict> conflicts() {
    var net = net();
    var all = net.over(contents);
    return net.conflicts().stream().map(conflict -> conflict(conflict, all)).toList();
  }

  private static PlanConflict conflict(PlanConflict.Entry conflict, ContentReader all) {
    var wanted = new HashSet<String>();
    Stream.of(conflict.ancestor(), conflict.ours(), conflict.theirs())
        .filter(Objects::nonNull)
        .map(ContentRef::sha256)
        .forEach(wanted::add);
    Map<String, byte[]> found = new HashMap<>(all.read(wanted));
    return new PlanConflict(conflict, found);
  }

  /// Integrity of everything that was committed.
  ChainVerdict verify() {
    return LedgerAudit.of(root.book(), contents);
  }

  CombinedChanges net() {
    return CombinedChanges.of(
        ChangesetLoader.load(root.book().chain(), contents), root.book().resolutions(), contents);
  }
}
