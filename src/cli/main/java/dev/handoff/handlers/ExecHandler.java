package dev.handoff.handlers;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.internal.facade.CancellableWait;
import dev.handoff.internal.process.ProcessExits;
import dev.handoff.internal.process.ProcessTree;
import dev.handoff.plan.Capture;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Handler that runs a program and waits for it: `{"argv": ["convert", "a.png", "a.jpg"]}`. No
/// shell is involved: each argument reaches the program unchanged. Exit code 0 is success; the
/// result contains the ends of both outputs. The program gets the job's id and attempt in
/// `HANDOFF_JOB` and `HANDOFF_ATTEMPT`; in a step of a plan also `HANDOFF_PLAN` and `HANDOFF_STEP`.
///
/// In a step the program can run in a copy of a directory: `"capture": {"directory": "site"}`, or
/// `null` for an empty one. The differences in the copy become the attempt's changes.
///
/// A cancel ends the program and all of its descendants: TERM first, KILL after five seconds. A
/// program that outlived a killed engine process is ended at the next start of an engine on the
/// store, and before the job's next attempt.
final class ExecHandler implements JobHandler.Checking<ExecHandler.@Nullable Command> {

  private static final long REST_MILLIS = 1_000;
  private static final int MOST_ERROR = 2_000;

  /// @param argv program and arguments
  /// @param dir working directory; null = that of the engine
  /// @param env additional environment variables
  /// @param stdin standard input; null = empty
  /// @param capture working copy for the program; null = none. `dir` is then relative to the copy
  record Command(
      @Nullable List<@Nullable String> argv,
      @Nullable String dir,
      @Nullable Map<String, @Nullable String> env,
      @Nullable String stdin,
      @Nullable CaptureOf capture) {

    Command(
        @Nullable List<@Nullable String> argv,
        @Nullable String dir,
        @Nullable Map<String, @Nullable String> env,
        @Nullable String stdin) {
      this(argv, dir, env, stdin, null);
    }

    boolean isWhole() {
      return argv != null
          && !argv.isEmpty()
          && argv.stream().noneMatch(Objects::isNull)
          && (env == null || env.values().stream().noneMatch(Objects::isNull));
    }
  }

  /// @param directory directory to copy; null = none, the copy starts empty
  /// @param keep whether the copy is preserved
  record CaptureOf(@Nullable String directory, boolean keep) {
    /// Whether the directory has a name. An empty name would mean the engine's own directory, which
    /// is never intended.
    boolean isNamed() {
      try {
        return directory == null || !Path.of(directory).toString().isEmpty();
      } catch (InvalidPathException none) {
        return false;
      }
    }

    Capture wanted() {
      var from = directory == null ? Capture.fromNothing() : Capture.of(Path.of(directory));
      return keep ? from.keeping() : from;
    }
  }

  /// @param changes number of changed files in the working copy; null = no working copy
  record Result(
      int exitCode,
      String stdout,
      String stderr,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer changes) {

    Result(int exitCode, String stdout, String stderr) {
      this(exitCode, stdout, stderr, null);
    }

    Result changing(int files) {
      return new Result(exitCode, stdout, stderr, files);
    }
  }

  private record Outputs(OutputDrain stdout, OutputDrain stderr) {
    CompletableFuture<Void> ended() {
      return CompletableFuture.allOf(stdout.ended(), stderr.ended());
    }

    void detach() {
      stdout.detach();
      stderr.detach();
    }
  }

  private final FairSemaphore slots;
  private final Duration patience;

  /// @param patience time from TERM to KILL
  ExecHandler(int maxProcesses, Duration patience) {
    this.slots = new FairSemaphore(maxProcesses);
    this.patience = patience;
  }

  /// Validates the arguments only. Whether the program exists is checked at its start, because it
  /// may be installed by then.
  @Override
  public void check(@Nullable Command command) throws HandlerFailedException {
    if (command == null || !command.isWhole()) {
      throw new HandlerFailedException(
          "exec needs argv, the program and its arguments, and has no null in it: {\"argv\":"
              + " [\"date\"]}");
    }
    if (command.capture() != null && !command.capture().isNamed()) {
      throw new HandlerFailedException(
          "capture: \"%s\" cannot be the name of a directory: leave it out for an empty one"
              .formatted(command.capture().directory()));
    }
    if (command.capture() != null && command.dir() != null && leadsOut(command.dir())) {
      throw new HandlerFailedException(
          "dir \"%s\" leads out of the working copy: it is relative to it"
              .formatted(command.dir()));
    }
  }

  private static boolean leadsOut(String dir) {
    try {
      var path = Path.of(dir);
      return path.isAbsolute() || path.normalize().startsWith("..");
    } catch (InvalidPathException none) {
      return true;
    }
  }

  @Override
  public Object handle(@Nullable Command command, JobContext job) throws Exception {
    check(command);
    endLeftover(job);
    var turn = slots.take();
    try {
      CancellableWait.untilOrFail(turn, job.cancellation());
      return command.capture() == null ? run(command, Path.of(""), job) : runCaptured(command, job);
    } finally {
      slots.leave(turn);
    }
  }

  private Result runCaptured(Command command, JobContext job) throws Exception {
    if (job.plan().isEmpty()) {
      throw new HandlerFailedException(
          "capture needs a plan to keep the changes: submit the job as a step of one");
    }
    try (var copy = job.workingCopy(command.capture().wanted())) {
      var result = run(command, copy.path(), job);
      return result.changing(copy.record());
    }
  }

  /// Kills a left-over program: without another attempt of the job, no other code would do so.
  @Override
  public void clearUp(JobHandler.LostAttempt attempt) {
    attempt
        .checkpoint(StartedProcess.class)
        .flatMap(StartedProcess::find)
        .ifPresent(process -> ProcessTree.stop(process, patience));
  }

  private void endLeftover(JobContext job) {
    job.checkpoint(StartedProcess.class)
        .flatMap(StartedProcess::find)
        .ifPresent(
            process -> {
              job.log(
                  "process %d of an earlier attempt still runs: it is ended first"
                      .formatted(process.pid()));
              ProcessTree.stop(process, patience);
            });
  }

  private Result run(Command command, Path base, JobContext job) throws Exception {
    var process = start(command, base, job);
    try {
      return await(process, command, job);
    } finally {
      if (process.isAlive() && !ProcessTree.stop(process.toHandle(), patience)) {
        job.log("process %d did not end, even by KILL".formatted(process.pid()));
      }
    }
  }

  private static Result await(Process process, Command command, JobContext job) throws Exception {
    var outputs =
        new Outputs(
            OutputDrain.start("stdout", process.getInputStream(), job),
            OutputDrain.start("stderr", process.getErrorStream(), job));
    try {
      feed(process.getOutputStream(), command.stdin(), job);
      var written = job.checkpoint(StartedProcess.of(process.toHandle()));
      CancellableWait.untilOrFail(written, job.cancellation());
      CancellableWait.untilOrFail(ProcessExits.of(process), job.cancellation());
      awaitRest(outputs, job);
      return result(process.exitValue(), outputs);
    } finally {
      outputs.detach();
    }
  }

  private static Process start(Command command, Path base, JobContext job)
      throws HandlerFailedException {
    var dir = base.resolve(command.dir() == null ? "" : command.dir()).toAbsolutePath();
    if (!Files.isDirectory(dir)) {
      throw new HandlerFailedException("dir \"%s\" is not a directory".formatted(command.dir()));
    }
    var builder = new ProcessBuilder().directory(dir.toFile());
    if (command.env() != null) {
      builder.environment().putAll(command.env());
    }
    builder.environment().put("HANDOFF_JOB", job.id().value());
    builder.environment().put("HANDOFF_ATTEMPT", Integer.toString(job.attempt()));
    job.plan().ifPresent(plan -> builder.environment().put("HANDOFF_PLAN", plan));
    job.step().ifPresent(step -> builder.environment().put("HANDOFF_STEP", step));
    var path = builder.environment().getOrDefault("PATH", "");
    var words = new ArrayList<>(ProgramFinder.DETACHED);
    words.add(ProgramFinder.find(command.argv().getFirst(), dir, path));
    words.addAll(command.argv().subList(1, command.argv().size()));
    try {
      return builder.command(words).start();
    } catch (IOException refused) {
      throw new HandlerFailedException(
          "\"%s\" cannot be started: %s"
              .formatted(command.argv().getFirst(), refused.getMessage()));
    }
  }

  /// Writes standard input on a separate thread, because a program that does not read would block
  /// the handler's thread.
  private static void feed(OutputStream stdin, @Nullable String text, JobContext job) {
    Thread.ofPlatform()
        .daemon()
        .name("handoff-exec-stdin-" + job.id())
        .start(
            () -> {
              try (stdin) {
                stdin.write(text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8));
              } catch (IOException gone) {
                // The program closed its input; its exit code tells whether that is an error.
              }
            });
  }

  /// Waits briefly for the rest of the outputs, because descendants of the program may hold them
  /// open without limit.
  private static void awaitRest(Outputs outputs, JobContext job)
      throws InterruptedException, ExecutionException {
    try {
      outputs.ended().get(REST_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException held) {
      job.log("the program has ended; something that it has started still holds its output open");
    }
  }

  private static Result result(int exitCode, Outputs outputs) throws HandlerFailedException {
    var stdout = outputs.stdout().tail();
    var stderr = outputs.stderr().tail();
    if (exitCode == 0) {
      return new Result(exitCode, stdout.text(), stderr.text());
    }
    var words =
        Stream.of(stderr, stdout)
            .map(tail -> tail.end(MOST_ERROR))
            .filter(end -> !end.isEmpty())
            .collect(Collectors.joining("\nstdout: "));
    var signal = exitCode > 128 && exitCode < 160 ? " (signal %d)".formatted(exitCode - 128) : "";
    throw new HandlerFailedException(
        "exit code " + exitCode + signal + (words.isEmpty() ? "" : ": " + words));
  }
}
