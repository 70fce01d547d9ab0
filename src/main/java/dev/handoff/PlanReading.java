package dev.handoff;

import dev.handoff.plan.Audit;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Diff;
import dev.handoff.plan.change.Maker;
import dev.handoff.plan.change.Net;
import dev.handoff.plan.change.Part;
import dev.handoff.plan.change.Parts;
import dev.handoff.plan.change.Verdict;
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

/// What the changes of a plan come to, told from its state and what is stored. Every method blocks:
/// not for an actor's thread.
///
/// @param root the plan at the top, which keeps the changes of all plans below it
record PlanReading(PlanState root, Contents contents) {

  /// It is in memory as a whole. An engine has other things to do with its memory, and ends
  /// without.
  static final int MOST_TEXT = 64 << 20;

  /// What a plan has changed: the one at the top all of it, another one what is its own.
  PlanDiff diffOf(PlanState plan) {
    var origin = plan.spec().origin();
    return origin == null ? diff() : diffOfStep(origin.path());
  }

  /// All committed changesets together.
  PlanDiff diff() {
    return diff(net());
  }

  /// One changeset, committed or open; empty if there is none of that name.
  Optional<PlanDiff> diff(String changeset) {
    var open = root.book().open(changeset);
    if (open.isPresent()) {
      var set = open.get();
      var part = new Part(set.id(), set.label(), Maker.caller(set.by()), set.entries());
      return Optional.of(diff(Net.of(List.of(part), List.of(), contents)));
    }
    return root.book().committed(changeset).map(set -> diffOf(one -> one == set));
  }

  /// What a step has changed, or all steps of a child plan together.
  ///
  /// @param path of the step, with `/` between child plans and their steps
  PlanDiff diffOfStep(String path) {
    return diffOf(
        set -> {
          var step = set.by().step();
          return step != null && (step.equals(path) || step.startsWith(path + "/"));
        });
  }

  private PlanDiff diffOf(Predicate<Changeset> wanted) {
    var sets = root.book().chain().stream().filter(wanted).toList();
    return diff(Net.of(Parts.load(sets, contents), List.of(), contents));
  }

  private PlanDiff diff(Net net) {
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

  /// The conflict in a file that is not decided yet, or the one that was decided last: that may be
  /// decided in another way until it is written somewhere.
  Optional<Conflict> toDecide(String path) {
    var decisions = root.book().resolutions();
    var last = decisions.reversed().stream().filter(one -> one.path().equals(path)).findFirst();
    return in(net(), path)
        .or(
            () ->
                last.flatMap(
                    decided -> {
                      var others = decisions.stream().filter(one -> one != decided).toList();
                      var parts = Parts.load(root.book().chain(), contents);
                      return in(Net.of(parts, others, contents), path);
                    }));
  }

  private static Optional<Conflict> in(Net net, String path) {
    return net.conflicts().stream().filter(one -> one.path().equals(path)).findFirst();
  }

  /// What is not decided yet.
  List<PlanConflict> conflicts() {
    var net = net();
    var all = net.over(contents);
    return net.conflicts().stream().map(conflict -> conflict(conflict, all)).toList();
  }

  private static PlanConflict conflict(Conflict conflict, Contents all) {
    var wanted = new HashSet<String>();
    Stream.of(conflict.ancestor(), conflict.ours(), conflict.theirs())
        .filter(Objects::nonNull)
        .map(ContentRef::sha256)
        .forEach(wanted::add);
    Map<String, byte[]> found = new HashMap<>(all.read(wanted));
    return new PlanConflict(conflict, found);
  }

  /// Whether everything is as it was committed.
  Verdict verify() {
    return Audit.of(root.book(), contents);
  }

  Net net() {
    return Net.of(Parts.load(root.book().chain(), contents), root.book().resolutions(), contents);
  }
}
