package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;

/// Sample on the disk: the target directory, its expected trees before and after, and a
/// neighbouring directory that must stay untouched.
record ApplyScene(
    Path place, EditSample sample, Map<String, String> before, Map<String, String> after) {

  static ApplyScene of(Path place, EditSample sample) {
    sample.make(place.resolve("before"));
    if (!sample.after().isEmpty()) {
      DirectoryTrees.make(place.resolve("after"), sample.after());
    }
    return new ApplyScene(
        place,
        sample,
        DirectoryTrees.of(place.resolve("before")),
        DirectoryTrees.of(place.resolve("after")));
  }

  Path root() {
    return place.resolve("work").resolve("root");
  }

  /// Recreates the target directory.
  ApplyScene again() {
    DirectoryTrees.delete(root().getParent());
    DirectoryTrees.make(root().getParent(), Map.of());
    sample.make(root());
    return this;
  }

  Map<String, String> now() {
    return DirectoryTrees.of(root());
  }

  RecoveryResult recover() {
    return EditableDirectory.at(root()).recover(EditSample.APPLY);
  }

  /// Asserts that the tree equals the one before or after the edits, without left-overs.
  void isWhole() {
    assertThat(now()).isIn(before, after);
    isClean();
  }

  void isClean() {
    assertThat(DirectoryTrees.of(root().getParent()).keySet())
        .noneMatch(name -> name.contains(".handoff-"));
  }

  void isAsItsEndingSays(RecoveryResult recovered) {
    switch (recovered.ending()) {
      case FINISHED -> assertThat(now()).isEqualTo(after);
      case UNDONE -> assertThat(now()).isEqualTo(before);
      case NOTHING -> assertThat(now()).isIn(before, after);
      case UNFINISHED -> throw new AssertionError(recovered.notes());
    }
    assertThat(recovered.notes()).isEmpty();
    isClean();
  }

  /// Asserts that the tree agrees with an apply's outcome, and then with its recovery.
  void isAs(ApplyResult outcome, RecoveryResult recovered) {
    isAs(outcome);
    isAsItsEndingSays(recovered);
  }

  private void isAs(ApplyResult outcome) {
    switch (outcome) {
      case ApplyResult.Written written -> assertThat(now()).isEqualTo(after);
      case ApplyResult.Undone undone -> assertThat(now()).as(undone.toString()).isEqualTo(before);
      case ApplyResult.Refused refused -> assertThat(now()).isEqualTo(before);
      case ApplyResult.Conflicted conflicted ->
          assertThat(now()).as(conflicted.toString()).isEqualTo(before);
      case ApplyResult.Already already -> throw new AssertionError(already);
      case ApplyResult.Unfinished unfinished -> throw new AssertionError(unfinished);
    }
  }
}
