package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancelledException;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisplayName("The program git")
@DisabledOnOs(OS.WINDOWS)
class GitProgramTest extends CopyTest {

  /// Git starts child processes: itself, and programs that the repository names.
  @Test
  void isStoppedWithAllThatItHasStarted() {
    var pid = temp.resolve("pid");
    var slow = "alias.slow=!echo $$ > %s.new; mv %s.new %s; sleep 100; :".formatted(pid, pid, pid);
    var git = new GitProgram(source, stop.token());
    var run = CompletableFuture.supplyAsync(() -> tried(git, slow), Thread.ofPlatform()::start);
    BoundedWaits.until("the alias runs", () -> Files.exists(pid));

    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "test"));

    assertThatThrownBy(() -> BoundedWaits.get(run)).isInstanceOf(CancelledException.class);
    BoundedWaits.until("the alias is gone", () -> !isAlive(pid));
  }

  private static GitProgram.Said tried(GitProgram git, String alias) {
    try {
      return git.run("-c", alias, "slow");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isAlive(Path pid) {
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .filter(ProcessHandle::isAlive)
          .isPresent();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isLeftAloneOnceItHasTakenTooLong() throws Exception {
    var git = new GitProgram(source, stop.token());
    var marker = temp.resolve("done");
    var slow = "alias.slow=!read go < %s/go; touch %s; :".formatted(temp, marker);
    var go = temp.resolve("go");
    assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor()).isZero();

    var said = git.finish(Duration.ofMillis(1), List.of("-c", slow, "slow"));

    assertThat(said.error()).isEqualTo("it has not ended after 1ms");
    opened(go).close();
    BoundedWaits.until("it goes on", () -> Files.exists(marker));
  }
}
