package dev.handoff.internal.store;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Program that runs an executor's thread. The heap is full from the start of the second task until
/// the failure is classified. Its last output line shows whether that task was answered.
final class FullStoreQueue {

  private static @Nullable Object full;

  private FullStoreQueue() {}

  private record Session() implements AutoCloseable {
    @Override
    public void close() {}
  }

  /// Fills the heap at the second task: the first one has loaded all needed classes.
  private static final class Filling extends LinkedBlockingQueue<StoreExecutor.Message<Session>> {

    private int taken;

    @Override
    public StoreExecutor.Message<Session> take() throws InterruptedException {
      var next = super.take();
      if (++taken == 2) {
        fill();
      }
      return next;
    }
  }

  private static void fill() {
    int size = 1 << 20;
    while (size > 0) {
      try {
        var more = new Object[size];
        more[0] = full;
        full = more;
      } catch (OutOfMemoryError smaller) {
        size /= 2;
      }
    }
  }

  private static DatabaseFailure trouble(Throwable failure) {
    full = null;
    return new DatabaseFailure.Away(failure.toString(), Duration.ofMillis(1), false, failure);
  }

  private static StoreTask<Session, String> task() {
    return new StoreTask<>("asking", session -> "done", DatabaseFailure::reason);
  }

  public static void main(String[] arguments) {
    var first = task();
    var second = task();
    var queue = new Filling();
    queue.add(first);
    queue.add(second);
    queue.add(new StoreExecutor.Stop<>());

    new StoreThread<>(
            "full", queue, StoreExecutor.Bench.single(Session::new, FullStoreQueue::trouble, true))
        .run();

    System.out.println(first.answer().getNow("LOST") + ", " + second.answer().getNow("LOST"));
  }
}
