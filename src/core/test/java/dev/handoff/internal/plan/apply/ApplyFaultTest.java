package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.apply.TriedDisk.Before;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@DisplayName("An apply on a disk that lets it down")
@EnabledOnOs(OS.LINUX)
class ApplyFaultTest {

  static final List<EditSample> SAMPLES = EditSample.ALL;

  private static final Before FULL =
      (number, what) -> {
        throw new FileSystemException(what, null, "No space left on device");
      };

  @TempDir(factory = InMemory.class)
  Path directory;

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackWhateverFailsOnce(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    Set<Class<?>> outcomes = new HashSet<>();

    for (int point = 1; ; point++) {
      var disk = TriedDisk.of(Before.at(point, FULL));
      var outcome = sample.write(scene.again().root(), disk);
      if (disk.operations() < point) {
        break;
      }
      outcomes.add(outcome.getClass());

      var recovered = scene.recover();
      scene.isAs(outcome, recovered);
    }

    assertThat(outcomes).contains(ApplyResult.Undone.class, ApplyResult.Written.class);
  }

  /// As on a network disk: the operation succeeds but reports a failure.
  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackWhateverSeemsToFailOnce(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    Set<Class<?>> outcomes = new HashSet<>();

    for (int point = 1; ; point++) {
      var disk = TriedDisk.of(new Before.After(point, FULL));
      var outcome = sample.write(scene.again().root(), disk);
      if (disk.operations() < point) {
        break;
      }
      outcomes.add(outcome.getClass());

      var recovered = scene.recover();
      scene.isAs(outcome, recovered);
    }

    assertThat(outcomes).contains(ApplyResult.Undone.class, ApplyResult.Written.class);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackWhereItsThreadIsInterrupted(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    Set<Class<?>> outcomes = new HashSet<>();

    for (int point = 1; ; point++) {
      var disk =
          TriedDisk.of(Before.at(point, (number, what) -> Thread.currentThread().interrupt()));
      var outcome = sample.write(scene.again().root(), disk);
      if (disk.operations() < point) {
        break;
      }
      outcomes.add(outcome.getClass());

      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      var recovered = scene.recover();
      assertThat(Thread.interrupted()).isTrue();
      scene.isAs(outcome, recovered);
    }

    assertThat(outcomes).contains(ApplyResult.Undone.class, ApplyResult.Written.class);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackLaterWhereTheDiskStaysAway(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    Set<Class<?>> outcomes = new HashSet<>();

    for (int point = 1; ; point++) {
      int from = point;
      var disk =
          TriedDisk.of(
              (number, what) -> {
                if (number >= from) {
                  FULL.operation(number, what);
                }
              });
      var outcome = sample.write(scene.again().root(), disk);
      if (disk.operations() < point) {
        break;
      }
      outcomes.add(outcome.getClass());

      var stillAway =
          EditableDirectory.at(scene.root(), TriedDisk.of(FULL)).recover(EditSample.APPLY);
      var recovered = scene.recover();

      assertThat(stillAway.ending()).isEqualTo(Ending.UNFINISHED);
      if (outcome instanceof ApplyResult.Unfinished) {
        scene.isWhole();
      } else {
        scene.isAs(outcome, recovered);
      }
    }

    assertThat(outcomes)
        .contains(
            ApplyResult.Undone.class, ApplyResult.Written.class, ApplyResult.Unfinished.class);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isUndoneByACancelUntilItIsCertain(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    Set<Class<?>> outcomes = new HashSet<>();

    for (int point = 1; ; point++) {
      var stop = new CancellationSource();
      var why = new Cancellation(Cancellation.Cause.REQUESTED, "no more", "someone");
      var disk =
          TriedDisk.of(
              Before.at(
                  point,
                  (number, what) -> {
                    stop.cancel(why);
                  }));
      var outcome = sample.write(scene.again().root(), disk, stop);
      if (disk.operations() < point) {
        break;
      }
      outcomes.add(outcome.getClass());

      scene.isAs(outcome, scene.recover());
      if (outcome instanceof ApplyResult.Undone undone) {
        assertThat(undone.reason()).contains("it was cancelled: no more");
      }
    }

    assertThat(outcomes)
        .containsExactlyInAnyOrder(ApplyResult.Undone.class, ApplyResult.Written.class);
  }

  @Test
  void saysWhatFailedAndWhy() {
    var scene = ApplyScene.of(directory, EditSample.ALL.getFirst());

    var disk = TriedDisk.of(Before.first("write n1", FULL));
    var outcome = scene.sample().write(scene.again().root(), disk);

    assertThat(outcome)
        .isEqualTo(new ApplyResult.Undone("preparing: No space left on device", List.of()));
  }
}
