package dev.handoff.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.plan.apply.Recovered.Ending;
import dev.handoff.plan.apply.TriedDisk.Before;
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

  static final List<Sample> SAMPLES = Sample.ALL;

  private static final Before FULL =
      (number, what) -> {
        throw new FileSystemException(what, null, "No space left on device");
      };

  @TempDir(factory = InMemory.class)
  Path directory;

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackWhateverFailsOnce(Sample sample) {
    var scene = Scene.of(directory, sample);
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

    assertThat(outcomes).contains(Outcome.Undone.class, Outcome.Written.class);
  }

  /// As on a network: it was done, and nobody knows.
  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackWhateverSeemsToFailOnce(Sample sample) {
    var scene = Scene.of(directory, sample);
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

    assertThat(outcomes).contains(Outcome.Undone.class, Outcome.Written.class);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackWhereItsThreadIsInterrupted(Sample sample) {
    var scene = Scene.of(directory, sample);
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

    assertThat(outcomes).contains(Outcome.Undone.class, Outcome.Written.class);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isTakenBackLaterWhereTheDiskStaysAway(Sample sample) {
    var scene = Scene.of(directory, sample);
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

      var stillAway = Directory.at(scene.root(), TriedDisk.of(FULL)).recover(Sample.APPLY);
      var recovered = scene.recover();

      assertThat(stillAway.ending()).isEqualTo(Ending.UNFINISHED);
      if (outcome instanceof Outcome.Unfinished) {
        scene.isWhole();
      } else {
        scene.isAs(outcome, recovered);
      }
    }

    assertThat(outcomes)
        .contains(Outcome.Undone.class, Outcome.Written.class, Outcome.Unfinished.class);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isUndoneByACancelUntilItIsCertain(Sample sample) {
    var scene = Scene.of(directory, sample);
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
      if (outcome instanceof Outcome.Undone undone) {
        assertThat(undone.reason()).contains("it was cancelled: no more");
      }
    }

    assertThat(outcomes).containsExactlyInAnyOrder(Outcome.Undone.class, Outcome.Written.class);
  }

  @Test
  void saysWhatFailedAndWhy() {
    var scene = Scene.of(directory, Sample.ALL.getFirst());

    var disk = TriedDisk.of(Before.first("write n1", FULL));
    var outcome = scene.sample().write(scene.again().root(), disk);

    assertThat(outcome)
        .isEqualTo(new Outcome.Undone("preparing: No space left on device", List.of()));
  }
}
