package dev.handoff.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.apply.Recovered.Ending;
import dev.handoff.plan.apply.TriedDisk.Died;
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

  static final List<Sample> SAMPLES = Sample.ALL;

  @TempDir(factory = InMemory.class)
  Path directory;

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isFinishedOrUndoneWhereverItsProcessDies(Sample sample) {
    var scene = Scene.of(directory, sample);
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
  void isFinishedOrUndoneWhereverItsRecoveryDiesToo(Sample sample) {
    var scene = Scene.of(directory, sample);
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

  /// Before it is noted that all is to be taken back, it is as well finished.
  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isUndoneWhereverItsUndoingDies(Sample sample) {
    var scene = Scene.of(directory, sample);

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

  /// Without the file whose name says that it is certain, nobody can know.
  @Test
  void isSeenToBeHalfDoneWhereNothingSaysThatItWasCertain() {
    var scene = Scene.of(directory, Sample.ALL.getFirst());
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

  private static int operations(Scene scene) {
    var disk = TriedDisk.of((number, what) -> {});
    var outcome = scene.again().sample().write(scene.root(), disk);
    assertThat(outcome).isInstanceOf(Outcome.Written.class);
    return disk.operations();
  }

  private static boolean diesAt(int point, Scene scene) {
    try {
      var outcome = scene.sample().write(scene.root(), TriedDisk.dyingAt(point));
      assertThat(outcome).isInstanceOf(Outcome.Written.class);
      assertThat(scene.now()).isEqualTo(scene.after());
      return false;
    } catch (Died dead) {
      return true;
    }
  }

  private static boolean recoveryDiesAt(int point, Scene scene) {
    try {
      Directory.at(scene.root(), TriedDisk.dyingAt(point)).recover(Sample.APPLY);
      return false;
    } catch (Died dead) {
      return true;
    }
  }

  /// The last thing before everything is in place fails.
  private static boolean undoingDiesAt(int point, Scene scene) {
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
      assertThat(scene.sample().write(scene.root(), disk)).isInstanceOf(Outcome.Undone.class);
      return false;
    } catch (Died dead) {
      return true;
    }
  }
}
