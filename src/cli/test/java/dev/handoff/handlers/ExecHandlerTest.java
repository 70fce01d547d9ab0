package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.CancelledException;
import dev.handoff.handlers.ExecHandler.Command;
import dev.handoff.handlers.ExecHandler.Result;
import dev.handoff.internal.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Uses real processes, which announce themselves in files.
@DisplayName("exec")
@DisabledOnOs(OS.WINDOWS)
class ExecHandlerTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path dir;

  private final ExecHandler exec = new ExecHandler(4, Duration.ofMillis(700));

  @Test
  void returnsWhatAProgramSays() throws Exception {
    var result = run("sh", "-c", "echo out; echo err >&2");

    assertThat(result).isEqualTo(new Result(0, "out\n", "err\n"));
  }

  @Test
  void passesWordsOnAsTheyAre() throws Exception {
    assertThat(run("printf", "%s|", "a b", "$HOME", "*", "; rm -rf /", "").stdout())
        .isEqualTo("a b|$HOME|*|; rm -rf /||");
  }

  @Test
  void givesItsDirectoryItsEnvironmentAndItsInput() throws Exception {
    var command =
        new Command(
            List.of("sh", "-c", "pwd; echo $COLOUR $HANDOFF_JOB $HANDOFF_ATTEMPT; cat"),
            dir.toString(),
            Map.of("COLOUR", "red"),
            "from outside");

    var result = (Result) exec.handle(command, FakeJob.attempt(3));

    assertThat(result.stdout())
        .isEqualTo(dir.toRealPath() + "\nred 01M7QA29F8201SE11P2AY4J500 3\nfrom outside");
  }

  @Test
  void hasNothingToReadWithoutAnInput() throws Exception {
    assertThat(run("cat").stdout()).isEmpty();
  }

  @Test
  void goesOnWhenAProgramDoesNotReadItsInput() throws Exception {
    var command = new Command(List.of("true"), null, null, "x".repeat(1_000_000));

    assertThat(((Result) exec.handle(command, FakeJob.first())).exitCode()).isZero();
  }

  @Test
  void failsWithTheLastWordsOfAProgram() {
    assertThatThrownBy(() -> run("sh", "-c", "echo fine; echo no such colour >&2; exit 3"))
        .hasMessage("exit code 3: no such colour\nstdout: fine");
    assertThatThrownBy(() -> run("sh", "-c", "echo only this; exit 4"))
        .hasMessage("exit code 4: only this");
    assertThatThrownBy(() -> run("sh", "-c", "exit 5")).hasMessage("exit code 5");
    assertThatThrownBy(() -> run("sh", "-c", "kill -KILL $$"))
        .hasMessage("exit code 137 (signal 9)");
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    var text = Files.writeString(dir.resolve("text"), "hello");

    assertThatThrownBy(() -> run("no-such-program", "x"))
        .hasMessage(
            "\"no-such-program\" was not found in PATH: install it, or write its whole path");
    assertThatThrownBy(() -> run(dir + "/missing"))
        .hasMessage("\"%s/missing\" does not exist", dir);
    assertThatThrownBy(() -> run(text.toString())).hasMessageContaining("is not a program");
    assertThatThrownBy(() -> run(dir.toString() + "/")).hasMessageContaining("is not a program");
    assertThatThrownBy(() -> run("a\0b")).hasMessageContaining("cannot be the name of a program");
    assertThatThrownBy(() -> run("echo", "a\0b")).hasMessageContaining("cannot be started");
    assertThatThrownBy(
            () ->
                exec.handle(new Command(List.of("true"), "/no/such", null, null), FakeJob.first()))
        .hasMessage("dir \"/no/such\" is not a directory");
  }

  @Test
  void refusesACommandThatIsNone() {
    var withoutValue = new HashMap<String, @Nullable String>();
    withoutValue.put("COLOUR", null);

    assertThatThrownBy(() -> exec.handle(null, FakeJob.first())).hasMessageContaining("needs argv");
    assertThatThrownBy(() -> exec.handle(new Command(null, null, null, null), FakeJob.first()))
        .hasMessageContaining("needs argv");
    assertThatThrownBy(() -> run()).hasMessageContaining("needs argv");
    assertThatThrownBy(
            () ->
                exec.handle(
                    new Command(Arrays.asList("a", null), null, null, null), FakeJob.first()))
        .hasMessageContaining("needs argv");
    assertThatThrownBy(
            () ->
                exec.handle(
                    new Command(List.of("true"), null, withoutValue, null), FakeJob.first()))
        .hasMessageContaining("no null");
  }

  @Test
  void findsAProgramBesideItsDirectory() throws Exception {
    var tool = Files.writeString(dir.resolve("tool"), "#!/bin/sh\necho found\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    var command = new Command(List.of("./tool"), dir.toString(), null, null);

    assertThat(((Result) exec.handle(command, FakeJob.first())).stdout()).isEqualTo("found\n");
  }

  @Test
  void passesOverAFolderThatCannotBeOne() throws Exception {
    assertThat(ProgramFinder.find("sh", dir, "\0:" + System.getenv("PATH"))).endsWith("/sh");
  }

  @Test
  void keepsTheEndOfAFloodAndNoMore() throws Exception {
    var job = FakeJob.first();
    var flood =
        new Command(
            List.of("sh", "-c", "yes 0123456789 | head -c 5000000; echo; echo end"),
            null,
            null,
            null);

    var result = (Result) exec.handle(flood, job);

    assertThat(result.stdout())
        .hasSizeLessThan(70_000)
        .startsWith("[only the end")
        .endsWith("end\n");
    assertThat(job.log).hasSizeLessThan(25);
    assertThat(job.heartbeats).hasPositiveValue();
  }

  @Test
  void takesAllThatAProgramSaysForASignOfLife() throws Exception {
    var job = FakeJob.first();

    exec.handle(
        new Command(
            List.of("sh", "-c", "for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done"),
            null,
            null,
            null),
        job);

    assertThat(job.heartbeats).hasValueGreaterThan(3);
    assertThat(job.log).hasSizeLessThan(3);
  }

  @Test
  void passesALineOnNowAndThen() throws Exception {
    var job = FakeJob.first();

    exec.handle(
        new Command(List.of("sh", "-c", "echo; echo hello; echo world"), null, null, null), job);

    assertThat(job.log).contains("stdout: hello").hasSizeLessThan(3);
  }

  /// Output written at once can be read in two pieces.
  @Test
  void passesOnTheFirstLineThatSaysSomething() throws Exception {
    var job = FakeJob.first();

    exec.handle(
        new Command(List.of("sh", "-c", "echo; sleep 0.1; echo hello"), null, null, null), job);

    assertThat(job.log).containsExactly("stdout: hello");
  }

  @Test
  void endsAProgramAndAllThatItStartedWhenCancelled() throws Exception {
    var job = FakeJob.first();
    var script =
        "sleep 1000 & echo $! > child; (sleep 1000 & echo $! > grandchild; wait) & echo $$ >"
            + " parent; wait";
    var running = RunningHandler.start(exec, sh(script), job);
    var family = List.of(pid("parent"), pid("child"), pid("grandchild"));

    job.cancel();

    assertThat(running.failure()).isInstanceOf(CancelledException.class);
    assertThat(family).allSatisfy(member -> assertThat(isAlive(member)).isFalse());
  }

  @Test
  void killsAProgramThatDoesNotWantToEnd() throws Exception {
    var job = FakeJob.first();
    var running =
        RunningHandler.start(
            exec, sh("trap '' TERM; echo $$ > parent; while true; do sleep 0.1; done"), job);
    long parent = pid("parent");

    job.cancel();

    assertThat(running.failure()).isInstanceOf(CancelledException.class);
    assertThat(isAlive(parent)).isFalse();
  }

  @Test
  void endsTheProgramWhenItsThreadIsInterrupted() throws Exception {
    var running =
        RunningHandler.start(exec, sh("echo $$ > parent; exec sleep 1000"), FakeJob.first());
    long parent = pid("parent");

    running.thread().interrupt();

    assertThat(running.failure()).isInstanceOf(InterruptedException.class);
    assertThat(isAlive(parent)).isFalse();
  }

  @Test
  void endsTheProgramWhenItsPlaceCannotBeKept() throws Exception {
    var job = FakeJob.first();
    job.keeping = CompletableFuture.failedStage(new IllegalStateException("the attempt is over"));
    var running = RunningHandler.start(exec, sh("echo $$ > parent; exec sleep 1000"), job);

    assertThat(running.failure()).hasMessage("the attempt is over");
    assertThat(((StartedProcess) job.kept.join()).find()).isEmpty();
  }

  @Test
  void killsAtOnceWhereThereIsNoTimeLeft() throws Exception {
    var stubborn =
        new ProcessBuilder(
            "sh", "-c", "trap '' TERM; echo $$ > parent; while true; do sleep 0.1; done");
    var process = stubborn.directory(dir.toFile()).start();
    pid("parent");
    Thread.currentThread().interrupt();

    boolean gone = ProcessTree.stop(process.toHandle(), Duration.ofMinutes(10));

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(gone).isTrue();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void remembersItsProcessAndEndsItInTheNextAttempt() throws Exception {
    var orphan = new ProcessBuilder("sleep", "1000").start();
    var second = FakeJob.after(StartedProcess.of(orphan.toHandle()));

    exec.handle(new Command(List.of("true"), null, null, null), second);

    assertThat(orphan.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(second.log)
        .anyMatch(line -> line.contains("process " + orphan.pid() + " of an earlier attempt"));
    assertThat(second.kept.join())
        .isInstanceOf(StartedProcess.class)
        .isNotEqualTo(StartedProcess.of(orphan.toHandle()));
  }

  @Test
  void endsWhatALostAttemptHasLeftBehind() throws Exception {
    var orphan = new ProcessBuilder("sleep", "1000").start();

    exec.clearUp(FakeJob.after(StartedProcess.of(orphan.toHandle())));

    assertThat(orphan.waitFor(20, TimeUnit.SECONDS)).isTrue();
    exec.clearUp(FakeJob.first());
  }

  @Test
  void leavesAStrangerWithTheSamePidAlone() throws Exception {
    var stranger = new ProcessBuilder("sleep", "1000").start();
    try {
      var before = Instant.now().minus(Duration.ofMinutes(5));

      exec.handle(
          new Command(List.of("true"), null, null, null),
          FakeJob.after(new StartedProcess(stranger.pid(), before)));
      exec.handle(
          new Command(List.of("true"), null, null, null),
          FakeJob.after(new StartedProcess(stranger.pid(), null)));

      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly().waitFor();
    }
  }

  @Test
  void doesNotWaitForWhatAProgramLeavesInTheBackground() throws Exception {
    var job = FakeJob.first();
    var command =
        new Command(
            List.of("sh", "-c", "echo started; sleep 1000 & echo $! > child"),
            dir.toString(),
            null,
            null);

    var result = (Result) exec.handle(command, job);

    assertThat(result.stdout()).isEqualTo("started\n");
    assertThat(isAlive(pid("child"))).isTrue();
    ProcessHandle.of(pid("child")).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void runsNoMoreAtOnceThanItMay() throws Exception {
    var one = new ExecHandler(1, SOON);
    var first =
        RunningHandler.start(
            one, sh("echo $$ > parent; while [ ! -e go ]; do sleep 0.02; done"), FakeJob.first());
    pid("parent");
    var waiting = FakeJob.first();
    var second = RunningHandler.start(one, sh("echo > second"), waiting);

    waiting.cancel();
    assertThat(second.failure()).isInstanceOf(CancelledException.class);
    assertThat(dir.resolve("second")).doesNotExist();

    Files.createFile(dir.resolve("go"));
    assertThat(first.end().get(20, TimeUnit.SECONDS)).isInstanceOf(Result.class);
    assertThat(one.handle(sh("echo > third"), FakeJob.first())).isInstanceOf(Result.class);
  }

  private Result run(String... argv) throws Exception {
    return (Result) exec.handle(new Command(List.of(argv), null, null, null), FakeJob.first());
  }

  private Command sh(String script) {
    return new Command(List.of("sh", "-c", script), dir.toString(), null, null);
  }

  /// Process id from a file, once the process has written it.
  private long pid(String file) throws Exception {
    var path = dir.resolve(file);
    long until = System.nanoTime() + SOON.toNanos();
    while (System.nanoTime() < until) {
      if (Files.exists(path) && Files.readString(path).endsWith("\n")) {
        return Long.parseLong(Files.readString(path).strip());
      }
      LockSupport.parkNanos(2_000_000);
    }
    throw new AssertionError("no process wrote " + path);
  }

  /// Whether a process lives; a zombie counts as dead.
  private static boolean isAlive(long pid) throws IOException {
    var stat = Path.of("/proc/" + pid + "/stat");
    if (!Files.exists(stat)) {
      return ProcessHandle.of(pid).isPresent();
    }
    return !Files.readString(stat).replaceAll(".*\\) ", "").startsWith("Z");
  }
}
