package dev.handoff.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;

/// A sample on the disk, with the directory as it is before and as it is after, and one beside it
/// that nobody may touch.
record Scene(Path place, Sample sample, Map<String, String> before, Map<String, String> after) {

  static Scene of(Path place, Sample sample) {
    sample.make(place.resolve("before"));
    if (!sample.after().isEmpty()) {
      Trees.make(place.resolve("after"), sample.after());
    }
    return new Scene(
        place, sample, Trees.of(place.resolve("before")), Trees.of(place.resolve("after")));
  }

  Path root() {
    return place.resolve("work").resolve("root");
  }

  /// Sets up the directory anew.
  Scene again() {
    Trees.delete(root().getParent());
    Trees.make(root().getParent(), Map.of());
    sample.make(root());
    return this;
  }

  Map<String, String> now() {
    return Trees.of(root());
  }

  Recovered recover() {
    return Directory.at(root()).recover(Sample.APPLY);
  }

  /// Whether all is as before, or as after; and nothing of ours is left anywhere.
  void isWhole() {
    assertThat(now()).isIn(before, after);
    isClean();
  }

  void isClean() {
    assertThat(Trees.of(root().getParent()).keySet()).noneMatch(name -> name.contains(".handoff-"));
  }

  void isAsItsEndingSays(Recovered recovered) {
    switch (recovered.ending()) {
      case FINISHED -> assertThat(now()).isEqualTo(after);
      case UNDONE -> assertThat(now()).isEqualTo(before);
      case NOTHING -> assertThat(now()).isIn(before, after);
      case UNFINISHED -> throw new AssertionError(recovered.notes());
    }
    assertThat(recovered.notes()).isEmpty();
    isClean();
  }

  /// Whether all is as an apply said, and as its recovery said after that.
  void isAs(Outcome outcome, Recovered recovered) {
    isAs(outcome);
    isAsItsEndingSays(recovered);
  }

  private void isAs(Outcome outcome) {
    switch (outcome) {
      case Outcome.Written written -> assertThat(now()).isEqualTo(after);
      case Outcome.Undone undone -> assertThat(now()).as(undone.toString()).isEqualTo(before);
      case Outcome.Refused refused -> assertThat(now()).isEqualTo(before);
      case Outcome.Conflicted conflicted ->
          assertThat(now()).as(conflicted.toString()).isEqualTo(before);
      case Outcome.Already already -> throw new AssertionError(already);
      case Outcome.Unfinished unfinished -> throw new AssertionError(unfinished);
    }
  }
}
