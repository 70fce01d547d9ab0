package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.Resolution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fold over the entries of one file, in chain order. It pauses at each entry that needs a merge,
/// and continues with the result.
final class FileFold {

  private final String path;
  private final List<Step> steps = new ArrayList<>();
  private final List<Resolution> resolutions;
  private final Set<String> touched = new LinkedHashSet<>();
  private int next;
  private @Nullable ContentRef now;
  private byte @Nullable [] nowMerged;
  private String nowFrom = "";
  private int since;
  private PlanConflict.@Nullable Entry conflict;
  private Map<String, byte[]> sides = Map.of();

  /// Entry with its changeset.
  ///
  /// @param place position of the changeset in the chain
  record Step(ChangeEntry entry, String changeset, String label, int place) {}

  FileFold(String path, List<Resolution> resolutions) {
    this.path = path;
    this.resolutions = resolutions;
  }

  void add(Step step) {
    if (steps.isEmpty()) {
      now = step.entry().before();
    }
    steps.add(step);
    touched.add(step.changeset());
  }

  /// Next merge to run; empty when all entries are folded.
  Optional<PendingMerge> advance() {
    while (next < steps.size()) {
      var step = steps.get(next++);
      if (Objects.equals(step.entry().before(), now)) {
        become(step.entry().after(), step);
      } else if (!Objects.equals(step.entry().after(), now)) {
        var open = open(step);
        if (open.isPresent()) {
          return open;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<PendingMerge> open(Step step) {
    var merge = new PendingMerge(this, step, now, nowMerged, nowFrom);
    var said = resolution(merge.conflict(PlanConflict.Why.SAME_LINES));
    if (said.isPresent()) {
      become(chosen(said.get(), merge.conflict(PlanConflict.Why.SAME_LINES)), step);
      return Optional.empty();
    }
    var hopeless = merge.hopeless();
    if (hopeless.isPresent()) {
      conflicts(merge, hopeless.get());
      return Optional.empty();
    }
    return Optional.of(merge);
  }

  /// Latest resolution of a conflict.
  Optional<Resolution> resolution(PlanConflict.Entry open) {
    return resolutions.reversed().stream().filter(said -> said.fits(open)).findFirst();
  }

  void becomes(PendingMerge merge, byte[] content) {
    var result = new ContentRef(ChainHash.of(content), content.length);
    if (!result.equals(now)) {
      become(result, merge.step());
      nowMerged = content;
    }
  }

  /// Keeps ours and ignores the entry. Only the first conflict of a file is reported: later ones
  /// depend on its resolution.
  void conflicts(PendingMerge merge, PlanConflict.Why why) {
    if (conflict == null) {
      conflict = merge.conflict(why);
      sides = of(merge.ours(), merge.oursMerged());
    }
  }

  /// Reports an unresolved clash between this file and files below its path.
  ///
  /// @param list list of the files below, one side of the conflict
  /// @param stays whether this file came first
  void clashes(PlanConflict.Entry open, byte[] list, boolean stays) {
    var both = new LinkedHashMap<>(of(now, nowMerged));
    both.put(ChainHash.of(list), list);
    if (!stays) {
      goes();
    }
    sides = both;
    conflict = open;
  }

  /// Removes the file in favour of the side that stays.
  void goes() {
    now = null;
    nowMerged = null;
    conflict = null;
    sides = Map.of();
  }

  /// Sets the content that a resolution chose.
  void holds(ContentRef content) {
    now = content;
    nowMerged = null;
  }

  private void become(@Nullable ContentRef content, Step step) {
    if (!Objects.equals(content, now)) {
      now = content;
      nowMerged = null;
      nowFrom = step.changeset();
      since = step.place();
    }
  }

  String path() {
    return path;
  }

  @Nullable ContentRef now() {
    return now;
  }

  /// Last changeset that changed the file.
  String from() {
    return nowFrom;
  }

  /// Position of that changeset in the chain.
  int since() {
    return since;
  }

  Optional<PlanConflict.Entry> conflict() {
    return Optional.ofNullable(conflict);
  }

  /// Combined change of the file; empty if its content is unchanged.
  Optional<CombinedChange> change() {
    var base = steps.getFirst().entry().before();
    return Objects.equals(base, now)
        ? Optional.empty()
        : Optional.of(new CombinedChange(path, base, now, nowMerged != null, List.copyOf(touched)));
  }

  /// Merge results that changes or conflicts refer to.
  Map<String, byte[]> results() {
    var results = new LinkedHashMap<>(of(now, nowMerged));
    results.putAll(sides);
    return results;
  }

  private static Map<String, byte[]> of(@Nullable ContentRef content, byte @Nullable [] merged) {
    return content == null || merged == null ? Map.of() : Map.of(content.sha256(), merged);
  }

  /// Content of the file after the resolution; null = no file.
  private static @Nullable ContentRef chosen(Resolution resolution, PlanConflict.Entry conflict) {
    return switch (resolution.choice()) {
      case OURS -> conflict.ours();
      case THEIRS -> conflict.theirs();
      case CONTENT -> resolution.content();
    };
  }
}
