package dev.handoff.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.BoundedWaits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A wait for an answer")
class QuietWaitTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final CompletableFuture<String> answer = new CompletableFuture<>();

  @Test
  void saysNothingIfTheAnswerIsThere() {
    answer.complete("yes");

    assertThat(wait(TerminalSetup.NONE).until(answer)).isEqualTo("yes");
    assertThat(said()).isEmpty();
  }

  @Test
  void saysALineFromTimeToTime_withoutATerminal() {
    var waiting = CompletableFuture.supplyAsync(() -> wait(TerminalSetup.NONE).until(answer));

    BoundedWaits.until("a line is printed", () -> said().lines().count() >= 2);
    answer.complete("yes");

    assertThat(waiting.join()).isEqualTo("yes");
    assertThat(said().lines()).allMatch(line -> line.matches("looking, \\d+.*s"));
  }

  @Test
  void drawsAStatusLine_onATerminal_andRemovesIt() {
    var terminal = CliHarness.size(40);
    var waiting = CompletableFuture.supplyAsync(() -> wait(terminal).until(answer));

    BoundedWaits.until("a line is printed", () -> said().contains("looking, "));
    answer.complete("yes");

    assertThat(waiting.join()).isEqualTo("yes");
    assertThat(said()).doesNotContain("\n").endsWith("\r\u001b[K");
  }

  @Test
  void failsWithTheAnswer() {
    answer.completeExceptionally(new IllegalStateException("no"));

    assertThatThrownBy(() -> wait(TerminalSetup.NONE).until(answer))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("no");
  }

  private QuietWait wait(TerminalSetup.Size size) {
    var screen = new Screen(new PrintStream(out, true, UTF_8), size);
    return QuietWait.of(screen, "looking", Duration.ofMillis(20));
  }

  private String said() {
    return out.toString(UTF_8);
  }
}
