package dev.handoff.store;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// A program that is a thread of a lane, and whose heap is full from when it has taken a task until
/// it asks what the trouble is. Says in its last line whether that task was answered.
final class FullLane {

  private static @Nullable Object full;

  private FullLane() {}

  private record Session() implements AutoCloseable {
    @Override
    public void close() {}
  }

  /// Fills the heap with its second task: what the first one needs is loaded by then.
  private static final class Filling extends LinkedBlockingQueue<Lane.Message<Session>> {

    private int taken;

    @Override
    public Lane.Message<Session> take() throws InterruptedException {
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

  private static Trouble trouble(Throwable failure) {
    full = null;
    return new Trouble.Away(failure.toString(), Duration.ofMillis(1), false, failure);
  }

  private static Task<Session, String> task() {
    return new Task<>("asking", session -> "done", Trouble::reason);
  }

  public static void main(String[] arguments) {
    var first = task();
    var second = task();
    var queue = new Filling();
    queue.add(first);
    queue.add(second);
    queue.add(new Lane.Stop<>());

    new LaneThread<>("full", queue, Lane.Bench.single(Session::new, FullLane::trouble, true)).run();

    System.out.println(first.answer().getNow("LOST") + ", " + second.answer().getNow("LOST"));
  }
}
