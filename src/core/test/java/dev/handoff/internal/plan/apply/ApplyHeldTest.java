package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.apply.TriedDisk.Before;
import dev.handoff.testing.ChildJvm;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A second engine starts while threads of the first one still work, although that engine is closed
/// or has lost its store.
@DisplayName("An apply that somebody recovers while it runs")
@EnabledOnOs(OS.LINUX)
class ApplyHeldTest {

  private static final List<EditSample> SAMPLES = EditSample.ALL;

  @TempDir(factory = InMemory.class)
  Path directory;

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isLeftAloneFromItsBeginningToItsEnd(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    var endings = EnumSet.noneOf(Ending.class);
    for (int point = 1; ; point++) {
      scene.again();
      var disk = TriedDisk.of(Before.at(point, (number, what) -> endings.add(meanwhile(scene))));

      var outcome = sample.write(scene.root(), disk);
      if (disk.operations() < point) {
        break;
      }

      scene.isAs(outcome, scene.recover());
    }
    assertThat(endings).contains(Ending.NOTHING, Ending.UNFINISHED);
  }

  private static Ending meanwhile(ApplyScene scene) {
    var recovered = scene.recover();
    if (recovered.ending() == Ending.UNFINISHED) {
      assertThat(recovered.notes()).singleElement().asString().contains("somebody else is at work");
    }
    return recovered.ending();
  }

  /// Interleaves all file operations of both at random, not only between two steps of an apply.
  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isLeftAloneInWhateverOrderBothTakeTheirSteps(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    RandomSeeds.each(
        100,
        random -> {
          scene.again();
          var turns = new Turns(random);
          var recovered = new CompletableFuture<RecoveryResult>();
          Thread.ofPlatform().start(() -> turns.second(() -> recoverIn(scene, turns, recovered)));

          var outcome = turns.first(() -> sample.write(scene.root(), turns.disk(0)));

          assertThat(recovered.get().ending())
              .isNotEqualTo(
                  outcome instanceof ApplyResult.Written ? Ending.UNDONE : Ending.FINISHED);
          var after = scene.recover();
          if (outcome instanceof ApplyResult.Unfinished) {
            scene.isAsItsEndingSays(after);
          } else {
            scene.isAs(outcome, after);
          }
        });
  }

  private static void recoverIn(
      ApplyScene scene, Turns turns, CompletableFuture<RecoveryResult> recovered) {
    recovered.complete(EditableDirectory.at(scene.root(), turns.disk(1)).recover(EditSample.APPLY));
  }

  /// Two threads that take turns at random before each file operation.
  private static final class Turns {
    private final boolean[] over = new boolean[2];
    private final Random random;
    private final int seldom;
    private int turn;

    Turns(Random random) {
      this.random = random;
      this.seldom = 1 + random.nextInt(40);
    }

    FileOperations disk(int one) {
      return TriedDisk.of((number, what) -> pass(one));
    }

    <T> T first(Supplier<T> work) {
      try {
        return work.get();
      } finally {
        end(0);
      }
    }

    void second(Runnable work) {
      await(1);
      try {
        work.run();
      } finally {
        end(1);
      }
    }

    private synchronized void pass(int one) {
      if (random.nextInt(seldom) == 0) {
        turn = 1 - one;
        notifyAll();
      }
      await(one);
    }

    private synchronized void await(int one) {
      boolean interrupted = false;
      while (turn != one && !over[1 - one]) {
        try {
          wait();
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private synchronized void end(int one) {
      over[one] = true;
      notifyAll();
    }
  }

  @Test
  void isLeftAloneByOtherProcesses() throws Exception {
    var scene = ApplyScene.of(directory, SAMPLES.getFirst()).again();
    var command = ChildJvm.command(ApplyProgram.class);
    command.addAll(List.of(scene.root().toString(), "0", "move n0 index.html", "wait"));
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      assertThat(process.getInputStream().read()).isEqualTo(ApplyProgram.WAITING);

      assertThat(scene.recover().ending()).isEqualTo(Ending.UNFINISHED);
      assertThat(scene.recover().ending()).isEqualTo(Ending.UNFINISHED);

      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
      assertThat(scene.now()).isEqualTo(scene.after());
      scene.isClean();
    } finally {
      process.destroyForcibly();
    }
  }

  /// A failed attempt to lock must not release the lock: operating systems drop all of a process's
  /// locks on a file when any of its descriptors is closed.
  @Test
  void holdsItsLockAgainstEverybody() throws IOException {
    try (var root = SecureDisk.INSTANCE.open(directory)) {
      try (var lock = root.lock("lock")) {
        assertThat(lock).isNotNull();
        assertThat(root.lock("lock")).isNull();
      }

      try (var next = root.lock("lock")) {
        assertThat(next).isNotNull();
      }
    }
  }
}
