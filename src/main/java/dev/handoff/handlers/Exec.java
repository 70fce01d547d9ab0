package dev.handoff.handlers;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.Capture;
import dev.handoff.CheckingHandler;
import dev.handoff.JobContext;
import dev.handoff.LostAttempt;
import dev.handoff.process.Exits;
import dev.handoff.process.ProcessTree;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs a program and waits for it: `{"argv": ["convert", "a.png", "a.jpg"]}`. There is no shell:
/// each word reaches the program as it is. Exit code 0 is success; the result has the ends of both
/// outputs. The program finds the job's id and attempt in `HANDOFF_JOB` and `HANDOFF_ATTEMPT`; as a
/// step of a plan also `HANDOFF_PLAN` and `HANDOFF_STEP`.
///
/// As a step it can work in a copy of a directory: `"capture": {"directory": "site"}`, or `null`
/// for an empty one. What is different there when it has ended is what its attempt has changed.
///
/// A cancel ends the program and all that it has started: TERM first, KILL after five seconds. A
/// program that outlived our process (it was killed) is ended when an engine starts on the store
/// again, and before the next attempt.
final class Exec implements CheckingHandler<Exec.@Nullable Command> {

  private static final long REST_MILLIS = 1_000;
  private static final int MOST_ERROR = 2_000;

  /// @param argv the program and its arguments
  /// @param dir where it runs; null = where we do
  /// @param env variables beside ours
  /// @param stdin what it reads; null = nothing
  /// @param capture the working copy that it runs in; null = none. `dir` is then relative to it
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

  /// @param directory what is copied; null = nothing
  /// @param keep whether the copy stays
  record CaptureOf(@Nullable String directory, boolean keep) {
    /// An empty name is that of the directory that we run in, which nobody means by it.
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

  /// @param changes how many files it has changed in its working copy; null = it had none
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

  private record Outputs(Drain stdout, Drain stderr) {
    CompletableFuture<Void> ended() {
      return CompletableFuture.allOf(stdout.ended(), stderr.ended());
    }

    void detach() {
      stdout.detach();
      stderr.detach();
    }
  }

  private final Slots slots;
  private final Duration patience;

  /// @param patience how long a program may take to end when it is asked to
  Exec(int maxProcesses, Duration patience) {
    this.slots = new Slots(maxProcesses);
    this.patience = patience;
  }

  /// Whether there is such a program is seen when it is started: it may be installed by then.
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
      Waiting.until(turn, job);
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

  /// Its job may not be started again, and then nobody else would end the program.
  @Override
  public void clearUp(LostAttempt attempt) {
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
            Drain.start("stdout", process.getInputStream(), job),
            Drain.start("stderr", process.getErrorStream(), job));
    try {
      feed(process.getOutputStream(), command.stdin(), job);
      Waiting.until(
          job.checkpoint(StartedProcess.of(process.toHandle())).toCompletableFuture(), job);
      Waiting.until(Exits.of(process), job);
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
    var words = new ArrayList<>(Programs.DETACHED);
    words.add(Programs.find(command.argv().getFirst(), dir, path));
    words.addAll(command.argv().subList(1, command.argv().size()));
    try {
      return builder.command(words).start();
    } catch (IOException refused) {
      throw new HandlerFailedException(
          "\"%s\" cannot be started: %s"
              .formatted(command.argv().getFirst(), refused.getMessage()));
    }
  }

  /// On a thread of its own: a program that does not read would hold ours.
  private static void feed(OutputStream stdin, @Nullable String text, JobContext job) {
    Thread.ofPlatform()
        .daemon()
        .name("handoff-exec-stdin-" + job.id())
        .start(
            () -> {
              try (stdin) {
                stdin.write(text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8));
              } catch (IOException gone) {
                // It does not want to read: its exit code tells what it makes of that.
              }
            });
  }

  /// What the program has started may hold its outputs open for as long as it likes.
  private static void awaitRest(Outputs outputs, JobContext job)
      throws InterruptedException, ExecutionException {
    var patience =
        new CompletableFuture<Boolean>()
            .completeOnTimeout(false, REST_MILLIS, TimeUnit.MILLISECONDS);
    var ended = outputs.ended().thenApply(all -> true);
    if (!ended.applyToEither(patience, complete -> complete).get()) {
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
