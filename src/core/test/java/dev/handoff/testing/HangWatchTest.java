package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

@DisplayName("A JVM in which a test waits for ever")
class HangWatchTest {

  @TempDir Path directory;

  /// Test engine with a test that waits for ever.
  private static final class Waiting implements TestEngine {
    @Override
    public String getId() {
      return "waiting";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
      var engine = new EngineDescriptor(id, "Waiting");
      engine.addChild(
          new AbstractTestDescriptor(id.append("test", "one"), "waits for ever") {
            @Override
            public Type getType() {
              return Type.TEST;
            }
          });
      return engine;
    }

    /// Sets the short limit only once the test is running, so that the watch does not fire earlier.
    @Override
    public void execute(ExecutionRequest request) {
      var listener = request.getEngineExecutionListener();
      listener.executionStarted(request.getRootTestDescriptor());
      request.getRootTestDescriptor().getChildren().forEach(listener::executionStarted);
      System.setProperty(HangWatch.MINUTES, "0");
      new CompletableFuture<Void>().join();
    }
  }

  /// Main class of the watched JVM.
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      var config =
          LauncherConfig.builder()
              .enableTestEngineAutoRegistration(false)
              .addTestEngines(new Waiting());
      LauncherFactory.create(config.build())
          .execute(LauncherDiscoveryRequestBuilder.request().build());
    }
  }

  @Test
  void isEndedAndSaysWhichOneAndWhere() throws Exception {
    var report = directory.resolve("reports/fork.txt");
    var command =
        ChildJvm.command(
            Program.class, "-D" + HangWatch.MINUTES + "=1", "-D" + HangWatch.REPORT + "=" + report);

    var process =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(directory.resolve("err").toFile())
            .start();
    assertThat(process.waitFor(BoundedWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).isEqualTo(HangWatch.EXIT_CODE);
    assertThat(Files.readString(report))
        .contains("since waits for ever had begun")
        .contains("at " + Waiting.class.getName() + ".execute(");
    assertThat(Files.readString(directory.resolve("err"))).contains("hang-watch", "RUNNABLE");
  }
}
