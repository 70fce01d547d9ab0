package dev.handoff.process;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/// When programs end. What Java has for that, [Process#onExit()], runs in the pool that a whole JVM
/// shares: it never completes where somebody blocks the threads of that, and there is one on a
/// machine with two processors.
public final class Exits {

  private static final long FIRST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 50;

  private Exits() {}

  /// Completes, on a virtual thread, with the exit code of a program that was started by this
  /// process.
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

  /// Waits until none of these runs. Systems tell of the end of their children only, so that the
  /// others are looked at again and again. An interrupt ends the patience, and stays.
  ///
  /// @return whether none of them runs
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

  /// Lets some time go by, unless the thread is interrupted.
  private static boolean pass(long millis) {
    var over = new CompletableFuture<Void>();
    try {
      over.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).get();
      return true;
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException never) {
      throw new IllegalStateException(never);
    }
    return false;
  }
}
