package dev.handoff.internal.process;

import dev.handoff.internal.ask.ThreadPause;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/// Process exits. The JDK's [Process#onExit()] uses the common pool of the JVM: it never completes
/// while other code blocks that pool's threads, and a machine with two processors has only one.
public final class ProcessExits {

  private static final long FIRST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 50;

  private ProcessExits() {}

  /// Exit code of a process that this JVM started. The future completes on a virtual thread.
  public static CompletableFuture<Integer> of(Process process) {
    var ended = new CompletableFuture<Integer>();
    Thread.ofVirtual()
        .name("handoff-exit-" + process.pid())
        .start(
            () -> {
              try {
                ended.complete(process.waitFor());
              } catch (InterruptedException never) {
                ended.completeExceptionally(never);
              }
            });
    return ended;
  }

  /// Waits until all processes have ended. Operating systems report the exit of child processes
  /// only, so others are polled. An interrupt ends the wait and stays set.
  ///
  /// @return whether all processes have ended
  static boolean await(Collection<ProcessHandle> processes, Duration patience) {
    long begin = System.nanoTime();
    long pause = FIRST_PAUSE_MILLIS;
    while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() - begin > patience.toNanos() || !pass(pause)) {
        return false;
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
    return true;
  }

  /// Pauses the thread; false if it is interrupted.
  private static boolean pass(long millis) {
    try {
      ThreadPause.await(Duration.ofMillis(millis));
      return true;
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
