package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.Health;
import dev.handoff.QueueInfo;
import dev.handoff.Submission;
import dev.handoff.chaos.ClientJournal.What;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/// Service with little memory, many callers, and handlers that compute, throw errors and fill the
/// heap. Then the faults stop, and every job has to end; if the engine reports that it is down, the
/// service ends at once.
///
/// Arguments have the form `name=value`: `journal`, `dir`, `seed`, and `millis` (duration; 0 = no
/// faults and no callers).
final class RoughService {

  static final String HEAP = "-Xmx192m";

  /// Exit code of a failed run; standard error has the threads' stacks.
  static final int FAILED = 95;

  /// Time limit for closing an engine.
  static final Duration LONGEST_CLOSE = Duration.ofSeconds(45);

  private static final Duration LONGEST_START = Duration.ofSeconds(90);
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(60);
  private static final int STARTS = 3;

  /// Index of the main thread in the [AnswerWatch].
  private static final int MAIN = RoughCallers.COUNT;

  private final AnswerWatch watch = new AnswerWatch(RoughCallers.COUNT + 1);
  private final AtomicReference<String> down = new AtomicReference<>();
  private final ClientJournal journal;
  private final RoughBench bench;
  private final Path directory;
  private final Handoff handoff;

  private RoughService(Map<String, String> told, boolean calm) throws Exception {
    journal = ClientJournal.silent(Path.of(told.get("journal")));
    directory = Path.of(told.get("dir"));
    bench = new RoughBench(journal, calm);
    handoff = start();
  }

  public static void main(String[] arguments) {
    try {
      var told = new HashMap<String, String>();
      for (var argument : arguments) {
        var parts = argument.split("=", 2);
        told.put(parts[0], parts[1]);
      }
      long millis = Long.parseLong(told.get("millis"));
      new RoughService(told, millis == 0).run(millis, Long.parseLong(told.get("seed")));
      Runtime.getRuntime().halt(0);
    } catch (Throwable failure) {
      RoughBench.Memory.outlast(failure::printStackTrace);
      RoughBench.Memory.outlast(() -> AnswerWatch.dump("the service has failed"));
    } finally {
      Runtime.getRuntime().halt(FAILED);
    }
  }

  /// Starts the engine. Left-over jobs can fill the heap during the start; a start may then fail,
  /// with an error and a free store.
  private Handoff start() throws Exception {
    for (int left = STARTS; ; left--) {
      watch.asks(MAIN, "start", LONGEST_START);
      try {
        var builder = bench.furnish(Handoff.builder().directory(directory));
        return builder.onDown(reason -> down.compareAndSet(null, reason)).start();
      } catch (Throwable failed) {
        if (left == 1) {
          throw failed;
        }
        bench.calm();
        RoughBench.Memory.outlast(() -> journal.say(What.NOT_STARTED, failed));
      } finally {
        watch.isAnswered(MAIN);
      }
    }
  }

  private void run(long millis, long seed) throws Exception {
    journal.say(What.UP);
    var callers = new RoughCallers(handoff, journal, watch);
    if (millis > 0 && isRuled()) {
      callers.start(new Random(seed));
      until(() -> callers.hasMetSilence(), millis);
    }
    bench.calm();
    callers.stop();
    if (!isDown()) {
      settle();
    }
    close();
  }

  private boolean isDown() {
    return down.get() != null;
  }

  /// Polls a condition until it holds, the engine is down, or the time limit is reached.
  private boolean until(BooleanSupplier condition, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!isDown() && System.nanoTime() - end < 0) {
      if (condition.getAsBoolean()) {
        return true;
      }
      Thread.sleep(5);
    }
    return false;
  }

  private boolean isRuled() throws Exception {
    for (var limit : RoughWork.LIMITS.entrySet()) {
      get("limit", handoff.queues().limit(limit.getKey(), OptionalInt.of(limit.getValue())));
    }
    get("resume", handoff.queues().resume(RoughWork.PAUSED));
    return !isDown();
  }

  /// Waits for a stage; a failure is ignored if the engine is down.
  private <T> void get(String what, CompletionStage<T> stage) throws Exception {
    watch.asks(MAIN, what, RoughCallers.LONGEST);
    try {
      stage.toCompletableFuture().get();
    } catch (ExecutionException failed) {
      if (!isDown()) {
        throw failed;
      }
    } finally {
      watch.isAnswered(MAIN);
    }
  }

  /// Waits until all jobs have ended, and all slots and workers are free.
  private void settle() throws Exception {
    if (isRuled()
        && settles("jobs do not end", () -> open() == 0)
        && holdsAllSlots()
        && settles("held jobs do not end", () -> open() == 0)
        && settles("something is left over", this::isIdle)) {
      journal.say(What.IDLE);
    }
  }

  private boolean settles(String otherwise, BooleanSupplier condition) throws Exception {
    boolean settled = until(condition, LONGEST_SETTLING.toMillis());
    if (!settled && !isDown()) {
      throw new IllegalStateException("%s: %s %s".formatted(otherwise, queues(), health()));
    }
    return settled;
  }

  private boolean holdsAllSlots() throws Exception {
    for (var limit : RoughWork.LIMITS.entrySet()) {
      for (int i = 0; i < limit.getValue() + 2; i++) {
        var token = "hold-%d-%s-%d".formatted(ProcessHandle.current().pid(), limit.getKey(), i);
        journal.say(What.TRY, token);
        var answer = handoff.submit(RoughWork.hold(token, limit.getKey()));
        get("hold", answer.thenAccept(told -> accepted(token, told)));
      }
    }
    boolean full = settles("slots are missing", this::isFull);
    bench.release();
    return full;
  }

  private void accepted(String token, Submission told) {
    if (told instanceof Submission.Accepted(var handle)) {
      journal.say(What.ACCEPTED, token, handle.id());
    }
  }

  private boolean isFull() {
    return queues().stream()
            .filter(queue -> queue.running() == RoughWork.LIMITS.getOrDefault(queue.name(), -1))
            .count()
        == RoughWork.LIMITS.size();
  }

  private List<QueueInfo> queues() {
    return now(handoff.queues().list(), List.of());
  }

  private Health health() {
    return now(handoff.health(), new Health(false, List.of("?"), 0, 1, 0));
  }

  private static <T> T now(CompletionStage<T> stage, T otherwise) {
    try {
      return stage.toCompletableFuture().get(RoughCallers.LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | InterruptedException | TimeoutException none) {
      return otherwise;
    }
  }

  private long open() {
    var queues = queues();
    return queues.isEmpty()
        ? -1
        : queues.stream()
            .mapToLong(queue -> queue.queued() + queue.scheduled() + queue.running())
            .sum();
  }

  private boolean isIdle() {
    var health = health();
    return health.ready()
        && health.problems().isEmpty()
        && health.busy() == 0
        && health.abandoned() == 0;
  }

  private void close() {
    var reason = down.get();
    if (reason != null) {
      journal.say(What.DOWN, reason);
    }
    bench.release();
    long began = System.nanoTime();
    watch.asks(MAIN, "close", LONGEST_CLOSE);
    handoff.close();
    watch.isAnswered(MAIN);
    journal.say(What.CLOSED, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began), "ms");
  }
}
