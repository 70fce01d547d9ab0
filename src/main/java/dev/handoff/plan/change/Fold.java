package dev.handoff.plan.change;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Folds the entries of one file, in the order of the chain. Stops at each entry that has to be
/// merged, and goes on when it is told what came out.
final class Fold {

  private final String path;
  private final List<Step> steps = new ArrayList<>();
  private final List<Resolution> resolutions;
  private final Set<String> touched = new LinkedHashSet<>();
  private int next;
  private @Nullable ContentRef now;
  private byte @Nullable [] nowMerged;
  private String nowFrom = "";
  private int since;
  private @Nullable Conflict conflict;
  private Map<String, byte[]> sides = Map.of();

  /// An entry and the changeset that it is of.
  ///
  /// @param place of the changeset in the chain
  record Step(Entry entry, String changeset, String label, int place) {}

  Fold(String path, List<Resolution> resolutions) {
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

  /// The next merge that is needed; empty when all entries are folded.
  Optional<ToMerge> advance() {
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

  private Optional<ToMerge> open(Step step) {
    var merge = new ToMerge(this, step, now, nowMerged, nowFrom);
    var said = resolution(merge.conflict(Conflict.Why.SAME_LINES));
    if (said.isPresent()) {
      become(said.get().chosen(merge.conflict(Conflict.Why.SAME_LINES)), step);
      return Optional.empty();
    }
    var hopeless = merge.hopeless();
    if (hopeless.isPresent()) {
      conflicts(merge, hopeless.get());
      return Optional.empty();
    }
    return Optional.of(merge);
  }

  /// How somebody has said that it is to end.
  Optional<Resolution> resolution(Conflict open) {
    return resolutions.reversed().stream().filter(said -> said.fits(open)).findFirst();
  }

  void becomes(ToMerge merge, byte[] content) {
    var result = new ContentRef(Seal.of(content), content.length);
    if (!result.equals(now)) {
      become(result, merge.step());
      nowMerged = content;
    }
  }

  /// Goes on with ours, as if the other one had not been made. Of a file only the first conflict
  /// counts: whether there are others depends on how it ends.
  void conflicts(ToMerge merge, Conflict.Why why) {
    if (conflict == null) {
      conflict = merge.conflict(why);
      sides = of(merge.ours(), merge.oursMerged());
    }
  }

  /// Either this file or those below it can be there, and nobody has said which.
  ///
  /// @param list of those below it, which is a side of the conflict
  /// @param stays whether this one came first
  void clashes(Conflict open, byte[] list, boolean stays) {
    var both = new LinkedHashMap<>(of(now, nowMerged));
    both.put(Seal.of(list), list);
    if (!stays) {
      goes();
    }
    sides = both;
    conflict = open;
  }

  /// Makes room for what is there instead.
  void goes() {
    now = null;
    nowMerged = null;
    conflict = null;
    sides = Map.of();
  }

  /// Somebody has said what the file is to hold.
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

  /// The last changeset that has changed it.
  String from() {
    return nowFrom;
  }

  /// The place of that changeset in the chain.
  int since() {
    return since;
  }

  Optional<Conflict> conflict() {
    return Optional.ofNullable(conflict);
  }

  /// What it all comes to; empty if the file is as it was.
  Optional<NetChange> change() {
    var base = steps.getFirst().entry().before();
    return Objects.equals(base, now)
        ? Optional.empty()
        : Optional.of(new NetChange(path, base, now, nowMerged != null, List.copyOf(touched)));
  }

  /// The results of merges that somebody can still ask for.
  Map<String, byte[]> results() {
    var results = new LinkedHashMap<>(of(now, nowMerged));
    results.putAll(sides);
    return results;
  }

  private static Map<String, byte[]> of(@Nullable ContentRef content, byte @Nullable [] merged) {
    return content == null || merged == null ? Map.of() : Map.of(content.sha256(), merged);
  }
}
