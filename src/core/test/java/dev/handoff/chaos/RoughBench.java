package dev.handoff.chaos;

import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.Submission;
import dev.handoff.chaos.ClientJournal.What;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Implements the handlers of [RoughWork].
final class RoughBench {

  private static final Duration SLOWLY = Duration.ofMillis(30);
  private static final int LONGEST_SPIN_MILLIS = 150;
  private static final int LONGEST_FULL_MILLIS = 2_000;
  private static final int DEAF_MILLIS = 600;
  private static final int REST_MILLIS = 1_500;

  /// Errors of different kinds, some of which are hard to record.
  private static final List<Supplier<Throwable>> ERRORS =
      List.of(
          () -> new AssertionError("it is not so"),
          () -> new LinkageError("it does not fit"),
          () -> new NoClassDefFoundError("there/is/none"),
          () -> new ExceptionInInitializerError("it did not begin"),
          () -> new UnsatisfiedLinkError("nothing native"),
          () -> new InternalError("inside"),
          () -> new OutOfMemoryError("as it says"),
          () -> new StackOverflowError("as it says"),
          () -> new VerifyError("it is not true"),
          () -> new java.io.IOError(new java.io.IOException("a disk")),
          Unspeakable::new,
          () -> new IllegalStateException("NUL \0 and half a pair \ud83d"));

  private final ClientJournal journal;
  private final Semaphore filling = new Semaphore(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /// From now on, handlers inject no faults.
  private volatile boolean calm;

  RoughBench(ClientJournal journal, boolean calm) {
    this.journal = journal;
    this.calm = calm;
  }

  /// Error whose message throws.
  private static final class Unspeakable extends Error {
    @Override
    public String getMessage() {
      throw new LinkageError("not even that");
    }
  }

  void calm() {
    calm = true;
  }

  /// Lets held jobs return.
  void release() {
    released.countDown();
  }

  HandoffBuilder furnish(HandoffBuilder builder) {
    for (var work : RoughWork.values()) {
      JobHandler<String> handler = (token, job) -> handle(work, token, job);
      builder.handler(
          work.type(), String.class, work.isBlocking() ? JobHandler.blocking(handler) : handler);
    }
    return builder
        .workers(32)
        .cancelling(Duration.ofMillis(50), Duration.ofMillis(300))
        .shutdownGrace(Duration.ofMillis(500))
        .set("blocking-threads", "4")
        .set("ledger.checkpoint-after", "1GiB");
  }

  private Object handle(RoughWork work, String token, JobContext job) throws Exception {
    // Encoded early: memory may be exhausted later.
    var end = ClientJournal.line(What.END, job.id(), job.attempt());
    journal.say(What.BEGIN, job.id(), job.attempt(), job.queue(), work);
    try {
      run(work, token, job);
      return job.attempt();
    } finally {
      Memory.outlast(() -> journal.write(end));
    }
  }

  private void run(RoughWork work, String token, JobContext job) throws Exception {
    var random = RoughWork.chance(token + job.attempt());
    switch (work) {
      case QUICK, CHILD -> {}
      case SLOW -> {
        job.cancellation().await(SLOWLY);
        job.cancellation().throwIfCancelled();
      }
      case SPIN, CRUNCH -> spin(random);
      case BREAK -> throwError(random, job);
      case SINK -> sink(random.nextInt(), job);
      case PARENT -> awaitChild(job);
      case DEAF -> beDeaf();
      case SNOOZE -> snooze(job);
      case ONCE -> {
        if (random.nextInt(4) == 0) {
          throw new AssertionError("once is enough");
        }
      }
      case FILL, FLOOD -> fill(random);
      case HOLD -> released.await();
    }
  }

  private void spin(Random random) {
    long end = System.nanoTime() + millis(1 + random.nextInt(LONGEST_SPIN_MILLIS));
    while (!calm && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private static long millis(int count) {
    return TimeUnit.MILLISECONDS.toNanos(count);
  }

  private void throwError(Random random, JobContext job) throws Exception {
    if (!calm && job.attempt() < 4) {
      var error = ERRORS.get(random.nextInt(ERRORS.size())).get();
      if (error instanceof Error itself) {
        throw itself;
      }
      throw (Exception) error;
    }
  }

  private void sink(int depth, JobContext job) {
    if (!calm && job.attempt() < 3) {
      try {
        deeper(depth);
      } catch (StackOverflowError real) {
        journal.say(What.FAULT, "stack");
        throw real;
      }
    }
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  private void awaitChild(JobContext job) throws Exception {
    var answer = job.submit(RoughWork.child(job)).toCompletableFuture().get();
    if (answer instanceof Submission.Accepted(var child)) {
      journal.say(What.PARKED, job.id(), job.attempt());
      job.await(child);
      journal.say(What.RESUMED, job.id(), job.attempt());
    } else {
      throw new IllegalStateException(answer.toString());
    }
  }

  private void beDeaf() {
    long end = System.nanoTime() + (calm ? 0 : millis(DEAF_MILLIS));
    for (long left = 0; !calm && left >= 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      Thread.interrupted();
    }
  }

  private static void snooze(JobContext job) {
    if (job.attempt() < 3) {
      job.later(Duration.ofMillis(10));
    }
  }

  /// Fills the heap almost completely, for a moment. Only one handler at a time, with a pause
  /// afterwards: a permanently full heap would leave the engine no time to show anything.
  private void fill(Random random) {
    if (!calm && filling.tryAcquire()) {
      try {
        if (Memory.fill(random.nextBoolean(), millis(random.nextInt(LONGEST_FULL_MILLIS)))) {
          Memory.outlast(() -> journal.say(What.FAULT, "heap"));
        }
        LockSupport.parkNanos(millis(REST_MILLIS));
        throw new OutOfMemoryError("as it was");
      } finally {
        filling.release();
      }
    }
  }

  /// Fills the heap, and retries steps while it is full.
  static final class Memory {

    private static final long LONGEST_FILL_NANOS = TimeUnit.SECONDS.toNanos(8);

    private static final int LARGE_PIECE = 256 * 1024;

    private record Link(Link before, byte[] weight) {}

    private Memory() {}

    /// Allocates until the heap is full, then more for a while. Small pieces make other threads
    /// fail first. The garbage collector can take very long to report exhaustion, since other
    /// threads free small amounts; hence a time limit.
    ///
    /// @return whether an allocation has failed
    static boolean fill(boolean small, long fullNanos) {
      Link last = null;
      int piece = small ? 200 : 4_000;
      boolean told = false;
      long end = Long.MAX_VALUE;
      while (end == Long.MAX_VALUE || System.nanoTime() - end < 0) {
        try {
          last = new Link(last, new byte[piece]);
          if (end == Long.MAX_VALUE && isAlmostFull()) {
            end = System.nanoTime() + LONGEST_FILL_NANOS;
            piece = small ? piece : LARGE_PIECE;
          }
        } catch (OutOfMemoryError real) {
          end = told ? end : System.nanoTime() + fullNanos;
          told = true;
          piece = Math.max(1, piece / 4);
        }
      }
      return (told || isRefused()) && last != null;
    }

    /// Whether half of the heap is refused: then only small freed amounts let the last allocations
    /// succeed.
    private static boolean isRefused() {
      try {
        return new byte[Math.toIntExact(Runtime.getRuntime().maxMemory() / 2)].length == 0;
      } catch (OutOfMemoryError real) {
        return true;
      }
    }

    private static boolean isAlmostFull() {
      var runtime = Runtime.getRuntime();
      long used = runtime.totalMemory() - runtime.freeMemory();
      return used > runtime.maxMemory() / 20 * 19;
    }

    /// Repeats a step until memory is available again.
    static void outlast(Runnable step) {
      while (true) {
        try {
          step.run();
          return;
        } catch (OutOfMemoryError notNow) {
          Thread.yield();
        }
      }
    }
  }
}
