package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.Text;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Resolution;
import dev.handoff.plan.change.Seal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The ledger of a plan's changes: changesets that callers have open, the chain of those that are
/// committed, what was decided about conflicts, and where all of it has been applied.
///
/// @param started how many changesets callers have opened so far
/// @param applies how many applies have begun so far
/// @param applying the apply that is under way; null = none
public record Book(
    int started,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<OpenSet> open,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Changeset> chain,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Resolution> resolutions,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int applies,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Applied> applied,
    @Nullable Applying applying) {

  /// How much callers may have in open changesets of one plan, all together.
  static final int MOST_OPEN_ENTRIES = 20_000;

  static final int MOST_OPEN_BYTES = 4 << 20;
  static final int MOST_OPEN_SETS = 1_000;

  /// How many changesets callers may open in the life of a plan: each that is committed stays in
  /// its state, which has to fit one append when the plan ends.
  static final int MOST_STARTED = 2_000;

  static final int MOST_LABEL_BYTES = 512 * 1024;
  static final int MOST_RESOLUTIONS = 1_000;
  static final int MOST_RESOLUTION_BYTES = 256 * 1024;
  static final int MOST_APPLIED = 100;

  static final Book EMPTY = new Book(0, null, null, null, 0, null, null);

  public Book {
    open = open == null ? List.of() : List.copyOf(open);
    chain = SharingList.from(chain == null ? List.of() : chain);
    resolutions = resolutions == null ? List.of() : List.copyOf(resolutions);
    applied = applied == null ? List.of() : List.copyOf(applied);
  }

  /// The hash of the last committed changeset.
  @JsonIgnore
  public String head() {
    return chain.isEmpty() ? Seal.NONE : chain.getLast().hash();
  }

  public Optional<OpenSet> open(String id) {
    for (var set : open) {
      if (set.id().equals(id)) {
        return Optional.of(set);
      }
    }
    return Optional.empty();
  }

  /// The one that was opened last and is still open.
  Optional<OpenSet> latest() {
    return open.isEmpty() ? Optional.empty() : Optional.of(open.getLast());
  }

  /// Whether a caller has opened such a changeset, at any time.
  boolean wasStarted(String id) {
    return id.matches("c[1-9][0-9]{0,8}") && Integer.parseInt(id.substring(1)) <= started;
  }

  public Optional<Changeset> committed(String id) {
    return chain.stream().filter(set -> set.id().equals(id)).findFirst();
  }

  /// The last apply of everything there was to a directory; empty if there was none.
  public Optional<Applied> lastApplied(String target) {
    return applied.reversed().stream().filter(one -> one.target().equals(target)).findFirst();
  }

  /// A time that is not before any decision about a conflict, also if the clock was set back.
  Instant notBeforeDecisions(Instant now) {
    var latest = now;
    for (var resolution : resolutions) {
      latest = resolution.at().isAfter(latest) ? resolution.at() : latest;
    }
    return latest;
  }

  /// Whether the same conflict was decided before, and somewhere that has been written: what is
  /// there would not be what the plan knows of it any more.
  boolean isWrittenOtherwise(Resolution next) {
    return resolutions.stream()
        .filter(one -> one.isAbout(next) && !one.isSame(next))
        .anyMatch(this::isWritten);
  }

  /// Nothing is decided while an apply is under way: one that ended later has begun later.
  private boolean isWritten(Resolution decision) {
    long at = decision.at().toEpochMilli();
    return applied.stream().anyMatch(apply -> apply.at().toEpochMilli() >= at);
  }

  /// Whether another decision about a conflict can be kept.
  boolean hasRoomFor(Resolution next) {
    int bytes = bytes(next);
    for (var resolution : resolutions) {
      bytes += bytes(resolution);
    }
    return resolutions.size() < MOST_RESOLUTIONS && bytes <= MOST_RESOLUTION_BYTES;
  }

  private static int bytes(Resolution resolution) {
    return Text.bytes(resolution.path()) + Text.bytes(resolution.by());
  }

  /// Whether the label of another changeset, and who opens it, can be kept.
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
    return Text.bytes(label) + Text.bytes(by);
  }

  int openEntries() {
    int entries = 0;
    for (var set : open) {
      entries += set.entries().size();
    }
    return entries;
  }

  /// About how large the open changesets are when they are stored.
  long openBytes() {
    long bytes = 0;
    for (var set : open) {
      bytes += set.bytes();
    }
    return bytes;
  }

  Book plus(OpenSet set) {
    return new Book(started + 1, plus(open, set), chain, resolutions, applies, applied, applying);
  }

  Book with(OpenSet changed) {
    var next = new ArrayList<OpenSet>(open.size());
    for (var set : open) {
      next.add(set.id().equals(changed.id()) ? changed : set);
    }
    return new Book(started, next, chain, resolutions, applies, applied, applying);
  }

  Book withoutOpen(Predicate<OpenSet> which) {
    var next = open.stream().filter(which.negate()).toList();
    return new Book(started, next, chain, resolutions, applies, applied, applying);
  }

  Book plus(Changeset link) {
    return new Book(
        started,
        open,
        SharingList.from(chain).plus(List.of(link)),
        resolutions,
        applies,
        applied,
        applying);
  }

  /// A later decision about the same conflict takes the place of an earlier one.
  Book plus(Resolution resolution) {
    var kept = resolutions.stream().filter(one -> !one.isAbout(resolution)).toList();
    return new Book(started, open, chain, plus(kept, resolution), applies, applied, applying);
  }

  Book begin(Applying next) {
    return new Book(started, open, chain, resolutions, next.number(), applied, next);
  }

  /// Of each directory the last apply is kept, and of the directories the last hundred.
  Book written(Applied done) {
    var others = new ArrayList<Applied>();
    for (var one : applied) {
      if (!one.target().equals(done.target())) {
        others.add(one);
      }
    }
    int dropped = Math.max(0, others.size() + 1 - MOST_APPLIED);
    var kept = plus(others.subList(dropped, others.size()), done);
    return new Book(started, open, chain, resolutions, applies, kept, null);
  }

  Book undone() {
    return new Book(started, open, chain, resolutions, applies, applied, null);
  }

  private static <T> List<T> plus(List<T> list, T last) {
    var next = new ArrayList<T>(list.size() + 1);
    next.addAll(list);
    next.add(last);
    return next;
  }
}
