package dev.handoff.chaos;

import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.JobEvent;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobNotFoundException;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.UnavailableException;
import dev.handoff.chaos.ClientJournal.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Threads that use all functions of an engine and write the replies to the journal. A seed
/// determines the actions of each thread.
final class RoughCallers {

  static final int COUNT = 64;

  /// Longest wait for an answer: the engine gives up after 30 s, and the machine may be busy.
  static final Duration LONGEST = Duration.ofSeconds(45);

  private static final int KNOWN = 512;
  private static final int KEYS = 3_000;
  private static final int MOST_OPEN = 1_500;
  private static final long REST_NANOS = Duration.ofMillis(60).toNanos();
  private static final Duration WAIT = Duration.ofMillis(300);
  private static final int FILL_MILLIS = 2_500;
  private static final int EVENTS_AT_ONCE = 400;

  private final Handoff handoff;
  private final ClientJournal journal;
  private final AnswerWatch watch;
  private final AtomicReferenceArray<String> known = new AtomicReferenceArray<>(KNOWN);
  private final AtomicLong open = new AtomicLong();
  private final AtomicLong nextFill = new AtomicLong(System.nanoTime());
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicBoolean silent = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  RoughCallers(Handoff handoff, ClientJournal journal, AnswerWatch watch) {
    this.handoff = handoff;
    this.journal = journal;
    this.watch = watch;
  }

  void start(Random random) {
    for (int number = 0; number < COUNT; number++) {
      int caller = number;
      var own = new Random(random.nextLong());
      threads.add(Thread.ofPlatform().name("caller-" + number).start(() -> call(caller, own)));
    }
    threads.add(Thread.ofPlatform().name("listener").start(this::listen));
  }

  /// Waits for all threads without interrupting them: each gets an answer in time.
  void stop() throws InterruptedException {
    stopped.set(true);
    for (var thread : threads) {
      thread.join();
    }
  }

  /// Whether a caller was told that there is no answer.
  boolean hasMetSilence() {
    return silent.get();
  }

  private void call(int caller, Random random) {
    for (int act = 0; !stopped.get(); act++) {
      try {
        act(caller, caller + "-" + act, random);
        LockSupport.parkNanos(random.nextLong(REST_NANOS));
      } catch (Throwable failure) {
        onFailure(failure);
      } finally {
        watch.isAnswered(caller);
      }
    }
  }

  private void onFailure(Throwable failure) {
    try {
      switch (failure) {
        case ExecutionException wrapper when wrapper.getCause() != null ->
            onFailure(wrapper.getCause());
        case CompletionException wrapper when wrapper.getCause() != null ->
            onFailure(wrapper.getCause());
        case UnavailableException unavailable -> onUnavailable(unavailable.getMessage());
        case JobNotFoundException gone -> journal.say(What.WRONG, "I1:", gone);
        case TimeoutException impatient -> {}
        case OutOfMemoryError full -> journal.say(What.FAULT, "heap");
        case Throwable other -> {
          other.printStackTrace();
          journal.say(What.WRONG, "callers:", other);
        }
      }
    } catch (OutOfMemoryError full) {
      Thread.yield();
    }
  }

  private void onUnavailable(String reason) {
    if (reason.contains("no answer")) {
      silent.set(true);
      journal.say(What.SILENT, reason);
    }
  }

  private void act(int caller, String name, Random random) throws Exception {
    int which = random.nextInt(100);
    if (which < 34) {
      submit(caller, token(name, random));
    } else if (which < 38) {
      submitMany(caller, name);
    } else if (which < 44) {
      limit(caller, 1 + random.nextInt(RoughWork.LIMITS.get(RoughWork.NARROW)));
    } else if (which < 50) {
      pause(caller, random.nextInt(3) == 0);
    } else if (which < 54) {
      ask(caller, "jobs", () -> handoff.jobs(JobFilter.ALL, Optional.empty(), 50));
    } else if (which < 58) {
      look(caller);
    } else {
      var job = id(random);
      if (job.isPresent()) {
        act(caller, job.get(), which);
      }
    }
  }

  private void act(int caller, JobId job, int which) throws Exception {
    if (which < 74) {
      cancel(caller, job);
    } else if (which < 80) {
      retry(caller, job);
    } else if (which < 90) {
      var found = ask(caller, "status", () -> handoff.job(job));
      if (found.isEmpty()) {
        journal.say(What.WRONG, "I1:", job, "is not there");
      }
    } else {
      await(caller, job);
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    CompletionStage<T> ask();
  }

  private <T> T ask(int caller, String what, Question<T> question) throws Exception {
    watch.asks(caller, what, LONGEST);
    return question.ask().toCompletableFuture().get();
  }

  private String token(String name, Random random) {
    long now = System.nanoTime();
    long due = nextFill.get();
    long next = now + TimeUnit.MILLISECONDS.toNanos(FILL_MILLIS / 2 + random.nextInt(FILL_MILLIS));
    if (now - due > 0 && nextFill.compareAndSet(due, next)) {
      return (random.nextBoolean() ? "fill-" : "flood-")
          + ProcessHandle.current().pid()
          + "-"
          + name;
    }
    return random.nextInt(3) == 0 ? "k-" + random.nextInt(KEYS) : unique(name);
  }

  private static String unique(String name) {
    return "u-" + ProcessHandle.current().pid() + "-" + name;
  }

  private void submit(int caller, String token) throws Exception {
    if (open.get() < MOST_OPEN) {
      journal.say(What.TRY, token);
      told(token, ask(caller, "submit", () -> handoff.submit(RoughWork.request(token))));
    }
  }

  private void submitMany(int caller, String name) throws Exception {
    if (open.get() < MOST_OPEN) {
      var tokens = IntStream.range(0, 5).mapToObj(i -> unique(name) + "-" + i).toList();
      tokens.forEach(token -> journal.say(What.TRY, token));
      var requests = tokens.stream().map(RoughWork::request).toList();
      var answers = ask(caller, "submit many", () -> handoff.submit(requests));
      for (int i = 0; i < answers.size(); i++) {
        told(tokens.get(i), answers.get(i));
      }
    }
  }

  private void told(String token, Submission answer) {
    switch (answer) {
      case Submission.Accepted(var handle) -> accepted(token, handle.id());
      case Submission.Existing(var handle) -> accepted(token, handle.id());
      case Submission.Unavailable(var reason, var retryAfter) -> onUnavailable(reason);
      case Submission other -> journal.say(What.WRONG, "submission:", token, other);
    }
  }

  private void accepted(String token, JobId id) {
    journal.say(What.ACCEPTED, token, id);
    known.set(Math.floorMod(token.hashCode(), KNOWN), id.value());
  }

  /// Id of a job submitted by this process.
  private Optional<JobId> id(Random random) {
    return Optional.ofNullable(known.get(random.nextInt(KNOWN))).map(JobId::new);
  }

  private void cancel(int caller, JobId id) throws Exception {
    watch.asks(caller, "cancel", LONGEST);
    var cancelling = handoff.cancel(id, "a caller wants it");
    cancelling.requested().toCompletableFuture().get();
    var ended = cancelling.ended().toCompletableFuture();
    try {
      if (ended.get(WAIT.toMillis(), TimeUnit.MILLISECONDS)
          instanceof CancelReport.Cancelled stoppedJob) {
        journal.say(What.CANCELLED, stoppedJob.job());
      }
    } finally {
      ended.cancel(false);
    }
  }

  private void retry(int caller, JobId id) throws Exception {
    switch (ask(caller, "retry", () -> handoff.retry(id, "a caller"))) {
      case RetryAnswer.Unavailable(var reason, var after) -> onUnavailable(reason);
      case RetryAnswer.NotFound gone -> journal.say(What.WRONG, "I1:", gone);
      case dev.handoff.RetryAnswer other -> {}
    }
  }

  private void limit(int caller, int most) throws Exception {
    var queue = RoughWork.NARROW;
    ask(caller, "limit", () -> handoff.queues().limit(queue, OptionalInt.of(most)));
    journal.say(What.RULE, queue, most);
  }

  private void pause(int caller, boolean pause) throws Exception {
    var queue = RoughWork.PAUSED;
    ask(
        caller,
        "pause",
        () -> pause ? handoff.queues().pause(queue) : handoff.queues().resume(queue));
    journal.say(What.RULE, queue, pause);
  }

  private void look(int caller) throws Exception {
    var queues = ask(caller, "queues", () -> handoff.queues().list());
    open.set(queues.stream().mapToLong(queue -> queue.queued() + queue.running()).sum());
    ask(caller, "health", handoff::health);
  }

  private void await(int caller, JobId id) throws Exception {
    watch.asks(caller, "await", LONGEST);
    var ended = handoff.handle(id).ended().toCompletableFuture();
    try {
      JobInfo job = ended.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
      journal.say(What.ENDED, id, job.status().label(), job.attempt());
    } finally {
      ended.cancel(false);
    }
  }

  /// Reads events in pieces; each piece continues after the previous one.
  private void listen() {
    long last = 0;
    while (!stopped.get()) {
      try {
        last = listen(last);
      } catch (TimeoutException never) {
        journal.say(What.WRONG, "I14:", "a stream did not end");
      } catch (Throwable cut) {
        last = 0;
        LockSupport.parkNanos(REST_NANOS);
      }
    }
  }

  private long listen(long last) throws Exception {
    var events = last == 0 ? handoff.events() : handoff.eventsAfter(last);
    var heard =
        events
            .take(EVENTS_AT_ONCE)
            .takeWithin(Duration.ofSeconds(2))
            .runFold(last, this::next, handoff.materializer())
            .toCompletableFuture();
    for (long end = System.nanoTime() + LONGEST.toNanos(); !heard.isDone() && !stopped.get(); ) {
      if (System.nanoTime() - end > 0) {
        throw new TimeoutException();
      }
      LockSupport.parkNanos(REST_NANOS);
    }
    return heard.getNow(last);
  }

  private long next(long last, JobEvent event) {
    if (last != 0 && event.number() != last + 1) {
      journal.say(What.WRONG, "I14:", event.number(), "after", last);
    }
    return event.number();
  }
}
