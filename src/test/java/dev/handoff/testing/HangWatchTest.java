package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

@DisplayName("A JVM in which a test waits for ever")
class HangWatchTest {

  private static final String INSIDE = "tests.hang.on-purpose";

  @TempDir Path directory;

  /// Only where the test below starts it.
  @EnabledIfSystemProperty(named = INSIDE, matches = "true")
  static class Waiting {
    @Test
    void waitsForEver() {
      System.setProperty(HangWatch.MINUTES, "0");
      new CompletableFuture<Void>().join();
    }
  }

  /// Runs the tests that wait.
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      var tests = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Waiting.class));
      LauncherFactory.create().execute(tests.build());
    }
  }

  @Test
  void isEndedAndSaysWhichOneAndWhere() throws Exception {
    var report = directory.resolve("reports/fork.txt");
    var command =
        ChildJvm.command(
            Program.class,
            "-D" + INSIDE + "=true",
            "-D" + HangWatch.MINUTES + "=1",
            "-D" + HangWatch.REPORT + "=" + report);

    var process =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(directory.resolve("err").toFile())
            .start();
    assertThat(process.waitFor(Soon.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).isEqualTo(HangWatch.EXIT_CODE);
    assertThat(Files.readString(report))
        .contains("since " + Waiting.class.getName() + ".waitsForEver waitsForEver() had begun")
        .contains("at " + Waiting.class.getName() + ".waitsForEver(");
    assertThat(Files.readString(directory.resolve("err"))).contains("hang-watch", "RUNNABLE");
  }
}
