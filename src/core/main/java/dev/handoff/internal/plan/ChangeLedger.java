package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.Resolution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Change ledger of a plan: open changesets of callers, chain of committed changesets, resolutions
/// of conflicts, and applies.
///
/// @param started number of changesets that callers have opened so far
/// @param applies number of applies started so far
/// @param applying apply under way; null = none
public record ChangeLedger(
    int started,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<OpenChangeset> open,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Changeset> chain,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Resolution> resolutions,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int applies,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<WrittenApply> applied,
    @Nullable StartedApply applying) {

  /// Limits of the open changesets of one plan, in total.
  static final int MOST_OPEN_ENTRIES = 20_000;

  static final int MOST_OPEN_BYTES = 4 << 20;
  static final int MOST_OPEN_SETS = 1_000;

  /// Most changesets that callers may open in a plan's life. Committed ones stay in the plan's
  /// state, which must fit one ledger append when the plan ends.
  static final int MOST_STARTED = 2_000;

  static final int MOST_LABEL_BYTES = 512 * 1024;
  static final int MOST_RESOLUTIONS = 1_000;
  static final int MOST_RESOLUTION_BYTES = 256 * 1024;
  static final int MOST_APPLIED = 100;

  static final ChangeLedger EMPTY = new ChangeLedger(0, null, null, null, 0, null, null);

  public ChangeLedger {
    open = open == null ? List.of() : List.copyOf(open);
    chain = PersistentList.from(chain == null ? List.of() : chain);
    resolutions = resolutions == null ? List.of() : List.copyOf(resolutions);
    applied = applied == null ? List.of() : List.copyOf(applied);
  }

  /// Folds a fact.
  ChangeLedger apply(PlanFact.OfChanges fact) {
    return switch (fact) {
      case PlanFact.ChangesetStarted(var set, var label, var by, var at) ->
          plus(OpenChangeset.empty(set, label, by, at));
      case PlanFact.ChangesRecorded(var set, var entries) ->
          open(set).map(changed -> with(changed.plus(entries))).orElse(this);
      case PlanFact.ChangesetClosed(var set, var body, var at) ->
          open(set).map(closed -> closed(closed, body, at)).orElse(this);
      case PlanFact.ChangesetDiscarded(var set, var at) -> without(set);
      case PlanFact.Resolved(var resolution) -> plus(resolution);
      case PlanFact.ApplyStarted(var apply) -> begin(apply);
      case PlanFact.ApplyWritten(var apply) -> written(apply);
      case PlanFact.ApplyUndone undone -> undone();
    };
  }

  private ChangeLedger closed(OpenChangeset closed, String body, Instant at) {
    var link =
        Changeset.after(
            head(),
            closed.id(),
            closed.label(),
            ChangesetAuthor.caller(closed.by()),
            at,
            closed.entries().size(),
            0,
            body);
    return without(closed.id()).plus(link);
  }

  private ChangeLedger without(String set) {
    return withoutOpen(one -> one.id().equals(set));
  }

  /// Hash of the last committed changeset.
  @JsonIgnore
  public String head() {
    return chain.isEmpty() ? ChainHash.NONE : chain.getLast().hash();
  }

  public Optional<OpenChangeset> open(String id) {
    for (var set : open) {
      if (set.id().equals(id)) {
        return Optional.of(set);
      }
    }
    return Optional.empty();
  }

  /// Most recently opened changeset that is still open.
  Optional<OpenChangeset> latest() {
    return open.isEmpty() ? Optional.empty() : Optional.of(open.getLast());
  }

  /// Returns whether a caller ever opened a changeset with this id.
  boolean wasStarted(String id) {
    return id.matches("c[1-9][0-9]{0,8}") && Integer.parseInt(id.substring(1)) <= started;
  }

  public Optional<Changeset> committed(String id) {
    return chain.stream().filter(set -> set.id().equals(id)).findFirst();
  }

  /// Latest complete apply to a directory; empty before the first.
  public Optional<WrittenApply> lastApplied(String target) {
    return applied.reversed().stream().filter(one -> one.target().equals(target)).findFirst();
  }

  /// Given time, but no earlier than the latest resolution: the clock may have been set back.
  Instant notBeforeDecisions(Instant now) {
    var latest = now;
    for (var resolution : resolutions) {
      latest = resolution.at().isAfter(latest) ? resolution.at() : latest;
    }
    return latest;
  }

  /// Returns whether the conflict was resolved differently before and that resolution was applied:
  /// the written files would then differ from the plan's knowledge of them.
  boolean isWrittenOtherwise(Resolution next) {
    return resolutions.stream()
        .filter(one -> one.isAbout(next) && !one.isSame(next))
        .anyMatch(this::isWritten);
  }

  /// Returns whether an apply wrote this resolution. No conflict is resolved during an apply, so an
  /// apply that ended after the resolution also started after it.
  private boolean isWritten(Resolution decision) {
    long at = decision.at().toEpochMilli();
    return applied.stream().anyMatch(apply -> apply.at().toEpochMilli() >= at);
  }

  /// Returns whether one more resolution fits the limits.
  boolean hasRoomFor(Resolution next) {
    int bytes = bytes(next);
    for (var resolution : resolutions) {
      bytes += bytes(resolution);
    }
    return resolutions.size() < MOST_RESOLUTIONS && bytes <= MOST_RESOLUTION_BYTES;
  }

  private static int bytes(Resolution resolution) {
    return SafeText.bytes(resolution.path()) + SafeText.bytes(resolution.by());
  }

  /// Returns whether the label and the opener of one more changeset fit the limit.
  boolean hasRoomFor(PlanFact.ChangesetStarted next) {
    int bytes = bytes(next.label(), next.by());
    for (var set : open) {
      bytes += bytes(set.label(), set.by());
    }
    for (var link : chain) {
      var caller = link.by().caller();
      bytes += caller == null ? 0 : bytes(link.label(), caller);
    }
    return bytes <= MOST_LABEL_BYTES;
  }

  private static int bytes(String label, String by) {
    return SafeText.bytes(label) + SafeText.bytes(by);
  }

  int openEntries() {
    int entries = 0;
    for (var set : open) {
      entries += set.entries().size();
    }
    return entries;
  }

  /// Approximate stored size of the open changesets.
  long openBytes() {
    long bytes = 0;
    for (var set : open) {
      bytes += set.bytes();
    }
    return bytes;
  }

  ChangeLedger plus(OpenChangeset set) {
    return new ChangeLedger(
        started + 1, plus(open, set), chain, resolutions, applies, applied, applying);
  }

  ChangeLedger with(OpenChangeset changed) {
    var next = new ArrayList<OpenChangeset>(open.size());
    for (var set : open) {
      next.add(set.id().equals(changed.id()) ? changed : set);
    }
    return new ChangeLedger(started, next, chain, resolutions, applies, applied, applying);
  }

  ChangeLedger withoutOpen(Predicate<OpenChangeset> which) {
    var next = open.stream().filter(which.negate()).toList();
    return new ChangeLedger(started, next, chain, resolutions, applies, applied, applying);
  }

  ChangeLedger plus(Changeset link) {
    return new ChangeLedger(
        started,
        open,
        PersistentList.from(chain).plus(List.of(link)),
        resolutions,
        applies,
        applied,
        applying);
  }

  /// Adds a resolution. It replaces an earlier resolution of the same conflict.
  ChangeLedger plus(Resolution resolution) {
    var kept = resolutions.stream().filter(one -> !one.isAbout(resolution)).toList();
    return new ChangeLedger(
        started, open, chain, plus(kept, resolution), applies, applied, applying);
  }

  ChangeLedger begin(StartedApply next) {
    return new ChangeLedger(started, open, chain, resolutions, next.number(), applied, next);
  }

  /// Records an apply. The ledger keeps the last apply per directory, for the last hundred
  /// directories.
  ChangeLedger written(WrittenApply done) {
    var others = new ArrayList<WrittenApply>();
    for (var one : applied) {
      if (!one.target().equals(done.target())) {
        others.add(one);
      }
    }
    int dropped = Math.max(0, others.size() + 1 - MOST_APPLIED);
    var kept = plus(others.subList(dropped, others.size()), done);
    return new ChangeLedger(started, open, chain, resolutions, applies, kept, null);
  }

  ChangeLedger undone() {
    return new ChangeLedger(started, open, chain, resolutions, applies, applied, null);
  }

  private static <T> List<T> plus(List<T> list, T last) {
    var next = new ArrayList<T>(list.size() + 1);
    next.addAll(list);
    next.add(last);
    return next;
  }
}
