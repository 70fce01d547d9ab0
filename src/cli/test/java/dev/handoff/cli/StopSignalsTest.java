package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A signal to stop")
class StopSignalsTest {

  private final List<String> told = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final List<Integer> ends = new ArrayList<>();

  private StopSignals signals(Runnable lastWords) {
    return new StopSignals(told::add, lastWords, ends::add);
  }

  @Test
  void isForTheCommandTheFirstTimeAndEndsTheProcessTheSecondTime() {
    var signals = signals(() -> said.add("last words"));

    assertThat(signals.first()).isEmpty();
    signals.on("INT");
    assertThat(ends).isEmpty();
    assertThat(signals.first()).contains("INT");

    signals.on("TERM");
    assertThat(told).containsExactly("INT");
    assertThat(said).containsExactly("last words");
    assertThat(ends).containsExactly(ExitCode.INTERRUPTED);
  }

  /// The kernel sends SIGHUP to all processes of the terminal, and the shell again to its children.
  @Test
  void isOneThatATerminalIsClosedHoweverOftenThatIsSaid() {
    var signals = signals(() -> said.add("last words"));

    signals.on("HUP");
    signals.on("HUP");

    assertThat(told).containsExactly("HUP");
    assertThat(said).isEmpty();
    assertThat(ends).isEmpty();
  }

  @Test
  void endsWithTheExitCodeOfTheFirst() {
    var signals = signals(() -> {});

    signals.on("TERM");
    signals.on("INT");

    assertThat(ends).containsExactly(ExitCode.TERMINATED);
  }

  @Test
  void endsTheProcessAlsoIfNobodyTakesItsLastWords() {
    var never = new CountDownLatch(1);
    var signals =
        signals(
            () -> {
              try {
                never.await();
              } catch (InterruptedException over) {
                said.add("over");
              }
            });

    signals.on("INT");
    signals.on("INT");

    assertThat(ends).containsExactly(ExitCode.INTERRUPTED);
    never.countDown();
  }
}
