package dev.handoff.handlers;

import dev.handoff.JobContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Reads one output of a program to its end on a platform thread of its own, because a read from a
/// pipe cannot be interrupted and would hold a virtual thread's carrier. Keeps the [Tail], counts
/// as a sign of life, and passes a line on to the job's log now and then.
final class Drain {

  private static final long BETWEEN_LINES = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_LINES = 20;
  private static final int BUFFER = 8 * 1024;

  private final String name;
  private final JobContext job;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile Tail tail = Tail.EMPTY;
  private volatile boolean over;
  private long lastLine;
  private int lines;

  private Drain(String name, JobContext job) {
    this.name = name;
    this.job = job;
  }

  static Drain start(String name, InputStream output, JobContext job) {
    var drain = new Drain(name, job);
    Thread.ofPlatform()
        .daemon()
        .name("handoff-exec-%s-%s".formatted(name, job.id()))
        .start(() -> drain.readAll(output));
    return drain;
  }

  /// Completes when there is nothing more to read.
  CompletableFuture<Void> ended() {
    return ended;
  }

  Tail tail() {
    return tail;
  }

  /// Lets the job alone from now on: its handler returns.
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
      // The program is gone, and its pipe with it.
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
