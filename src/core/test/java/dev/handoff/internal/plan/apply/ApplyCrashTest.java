package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.apply.TriedDisk.Died;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@DisplayName("An apply that is interrupted")
@EnabledOnOs(OS.LINUX)
class ApplyCrashTest {

  static final List<EditSample> SAMPLES = EditSample.ALL;

  @TempDir(factory = InMemory.class)
  Path directory;

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isFinishedOrUndoneWhereverItsProcessDies(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    var endings = EnumSet.noneOf(Ending.class);

    int points =
        whileItHappens(
            point -> {
              boolean died = diesAt(point, scene.again());

              var recovered = scene.recover();

              scene.isAsItsEndingSays(recovered);
              endings.add(recovered.ending());
              assertThat(scene.recover().ending()).isEqualTo(Ending.NOTHING);
              return died;
            });

    assertThat(points).isGreaterThan(40);
    assertThat(endings).containsExactlyInAnyOrder(Ending.FINISHED, Ending.UNDONE, Ending.NOTHING);
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isFinishedOrUndoneWhereverItsRecoveryDiesToo(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    int points = operations(scene);

    for (int point = 1; point <= points; point += Math.max(1, points / 10)) {
      int at = point;
      whileItHappens(
          again -> {
            diesAt(at, scene.again());
            boolean died = recoveryDiesAt(again, scene);

            scene.recover();

            scene.isWhole();
            return died;
          });
    }
  }

  /// A death before the undo mark is written can also lead to a finished apply.
  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isUndoneWhereverItsUndoingDies(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);

    int points =
        whileItHappens(
            point -> {
              boolean died = undoingDiesAt(point, scene.again());
              boolean noted = Files.exists(scene.root().resolve(".handoff-plan-1/undo"));

              var recovered = scene.recover();

              scene.isAsItsEndingSays(recovered);
              assertThat(recovered.ending() == Ending.FINISHED).isEqualTo(point <= 2 && !noted);
              return died;
            });

    assertThat(points).isGreaterThan(15);
  }

  /// The name of the commit file decides. Without that file, no recovery can know.
  @Test
  void isSeenToBeHalfDoneWhereNothingSaysThatItWasCertain() {
    var scene = ApplyScene.of(directory, EditSample.ALL.getFirst());
    var states = new ArrayList<Boolean>();

    whileItHappens(
        point -> {
          scene.again();
          boolean died = true;
          try {
            var disk = TriedDisk.dyingAt(point).without("move journal commit");
            scene.sample().write(scene.root(), disk);
            died = false;
          } catch (Died dead) {
            scene.recover();
          }
          if (!scene.now().equals(scene.after())) {
            assertThat(scene.now().values())
                .as("even so nothing is lost")
                .containsAll(scene.before().values());
          }
          states.add(scene.now().equals(scene.before()) || scene.now().equals(scene.after()));
          return died;
        });

    assertThat(states).contains(false);
  }

  private static int whileItHappens(IntPredicate at) {
    int point = 1;
    while (at.test(point)) {
      point++;
    }
    return point - 1;
  }

  private static int operations(ApplyScene scene) {
    var disk = TriedDisk.of((number, what) -> {});
    var outcome = scene.again().sample().write(scene.root(), disk);
    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    return disk.operations();
  }

  private static boolean diesAt(int point, ApplyScene scene) {
    try {
      var outcome = scene.sample().write(scene.root(), TriedDisk.dyingAt(point));
      assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
      assertThat(scene.now()).isEqualTo(scene.after());
      return false;
    } catch (Died dead) {
      return true;
    }
  }

  private static boolean recoveryDiesAt(int point, ApplyScene scene) {
    try {
      EditableDirectory.at(scene.root(), TriedDisk.dyingAt(point)).recover(EditSample.APPLY);
      return false;
    } catch (Died dead) {
      return true;
    }
  }

  /// Makes the last operation before the end of the moves fail, so that the apply is undone.
  private static boolean undoingDiesAt(int point, ApplyScene scene) {
    var start = new int[1];
    var disk =
        TriedDisk.of(
            (number, what) -> {
              if (start[0] > 0 && number == start[0] + point) {
                throw new Died();
              }
              if (what.startsWith("move ") && what.endsWith("~done")) {
                start[0] = number;
                throw new IOException("Input/output error");
              }
            });
    try {
      assertThat(scene.sample().write(scene.root(), disk)).isInstanceOf(ApplyResult.Undone.class);
      return false;
    } catch (Died dead) {
      return true;
    }
  }
}
