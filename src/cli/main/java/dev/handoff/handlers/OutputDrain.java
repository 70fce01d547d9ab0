package dev.handoff.handlers;

import dev.handoff.JobContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Reader of one output of a program, up to its end. It has its own platform thread, because a read
/// from a pipe cannot be interrupted and would occupy a virtual thread's carrier. The reader keeps
/// the [OutputTail], sends heartbeats, and occasionally passes a line to the job's log.
final class OutputDrain {

  private static final long BETWEEN_LINES = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_LINES = 20;
  private static final int BUFFER = 8 * 1024;

  private final String name;
  private final JobContext job;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile OutputTail tail = OutputTail.EMPTY;
  private volatile boolean over;
  private long lastLine;
  private int lines;

  private OutputDrain(String name, JobContext job) {
    this.name = name;
    this.job = job;
  }

  static OutputDrain start(String name, InputStream output, JobContext job) {
    var drain = new OutputDrain(name, job);
    Thread.ofPlatform()
        .daemon()
        .name("handoff-exec-%s-%s".formatted(name, job.id()))
        .start(() -> drain.readAll(output));
    return drain;
  }

  /// Completes at the end of the output.
  CompletableFuture<Void> ended() {
    return ended;
  }

  OutputTail tail() {
    return tail;
  }

  /// Stops all reports to the job, because its handler returns.
  void detach() {
    over = true;
  }

  private void readAll(InputStream output) {
    var buffer = new byte[BUFFER];
    try (output) {
      for (int count = output.read(buffer); count >= 0; count = output.read(buffer)) {
        var bytes = Arrays.copyOf(buffer, count);
        tail = tail.plus(bytes);
        tell(bytes);
      }
    } catch (IOException closed) {
      // The program has ended, and its pipe is closed.
    } finally {
      ended.complete(null);
    }
  }

  private void tell(byte[] bytes) {
    if (over) {
      return;
    }
    job.heartbeat();
    long now = System.nanoTime();
    if (lines > 0 && now - lastLine < BETWEEN_LINES) {
      return;
    }
    new String(bytes, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .ifPresent(line -> pass(line, now));
  }

  private void pass(String line, long now) {
    lastLine = now;
    if (lines++ < MOST_LINES) {
      job.log(name + ": " + line);
    }
  }
}
