package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Pool with real workers, and probes for the dispatcher, the jobs and the router.
final class PoolBench {

  static final Duration HEARTBEAT = DispatcherBench.HEARTBEAT;
  static final int PARTITION = 1;
  static final long EPOCH = 5;

  final HeldCode code = new HeldCode(false);
  final HeldCode stubborn = new HeldCode(true);
  final AtomicLong nanos = new AtomicLong();
  final TestProbe<Dispatcher.Command> dispatcher;
  final TestProbe<JobEnvelope> router;
  final ActorRef<WorkerPool.Command> pool;
  private final TestActors actors;
  private final Ulid ids = new Ulid(new Random(1));
  private volatile Throwable noThread;
  private final CountDownLatch wordlessEnd = new CountDownLatch(1);
  private volatile Thread wordless;
  private volatile boolean isWordless;
  volatile boolean wordlessIsInterrupted;
  private volatile boolean broken;
  private volatile Runnable beforeInterrupt;
  private volatile boolean busy;
  private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

  PoolBench(TestActors actors, boolean remote, int workers) {
    this.actors = actors;
    dispatcher = actors.probe(Dispatcher.Command.class);
    router = actors.probe(JobEnvelope.class);
    var usual = DispatcherBench.SETTINGS;
    var settings =
        new DispatchSettings(
            workers,
            usual.blockingThreads(),
            usual.heartbeat(),
            usual.lease(),
            usual.margin(),
            usual.grace(),
            usual.abandon(),
            usual.shutdownGrace());
    var environment =
        new Worker.Environment(
            actors.system(),
            Map.of(
                "held", new AttemptCode(false, code),
                "stubborn", new AttemptCode(false, stubborn),
                "blocking", new AttemptCode(true, code)),
            settings,
            router.ref(),
            actors.system().<ProgressSeen>ignoreRef(),
            ActorQuestions.on(actors.system()),
            new ByHand());
    pool = actors.spawn(WorkerPool.create(new PoolId("pool"), remote, environment));
    pool.tell(new WorkerPool.Meet(PARTITION, dispatcher.ref()));
    pool.tell(new WorkerPool.Registered(PARTITION, EPOCH, dispatcher.ref()));
  }

  private static final class Overheard extends Thread {
    private final Runnable before;

    Overheard(Runnable run, Runnable before) {
      super(run);
      this.before = before;
      setDaemon(true);
    }

    @Override
    public void interrupt() {
      before.run();
      super.interrupt();
    }
  }

  private final class ByHand implements ThreadsAndClock {
    @Override
    public Thread start(boolean blocking, String name, Runnable run) {
      if (noThread instanceof Error error) {
        throw error;
      }
      if (isWordless) {
        wordless = ThreadsAndClock.REAL.start(blocking, name, PoolBench.this::awaitTheEnd);
        return wordless;
      }
      if (beforeInterrupt != null) {
        var overheard = new Overheard(run, beforeInterrupt);
        overheard.start();
        return overheard;
      }
      if (busy) {
        var thread = Thread.ofVirtual().name(name).unstarted(run);
        waiting.add(thread);
        return thread;
      }
      return ThreadsAndClock.REAL.start(blocking, name, run);
    }

    @Override
    public long nanoTime() {
      if (broken) {
        broken = false;
        throw new IllegalStateException("the clock is broken");
      }
      return nanos.get();
    }
  }

  void hasNoThreads(Error why) {
    noThread = why;
  }

  /// Makes the next thread hang without running its task.
  void hasWordlessThreads() {
    isWordless = true;
  }

  void awaitWordlessThread() {
    BoundedWaits.until("there is a thread", () -> wordless != null);
  }

  /// Tells the credit's worker that the thread of its first attempt runs.
  void begins(WorkerCredit credit) {
    credit.worker().<Object>unsafeUpcast().tell(new Worker.HandlerBegan(1));
  }

  private void awaitTheEnd() {
    try {
      wordlessEnd.await();
    } catch (InterruptedException ignored) {
      wordlessIsInterrupted = true;
      awaitTheEnd();
    }
  }

  /// Ends the hanging thread without a message, as in a full heap.
  void endWordlessThread() throws InterruptedException {
    wordlessEnd.countDown();
    wordless.join();
  }

  /// Keeps new threads from running, until [#hasProcessors].
  void hasNoProcessors() {
    busy = true;
  }

  /// Waits until a thread is queued for a processor.
  void awaitWaitingThread() {
    BoundedWaits.until("a thread waits", () -> !waiting.isEmpty());
  }

  void hasProcessors() {
    busy = false;
    for (var thread = waiting.poll(); thread != null; thread = waiting.poll()) {
      thread.start();
    }
  }

  /// Runs an action before each interrupt of a handler.
  void beforeInterrupt(Runnable look) {
    beforeInterrupt = look;
  }

  /// Makes the next reading of the clock fail.
  void breakTheClock() {
    broken = true;
  }

  void passes(Duration time) {
    nanos.addAndGet(time.toNanos());
    actors.pass(time);
  }

  void beat() {
    passes(HEARTBEAT);
  }

  void wants(int workers, long seen) {
    pool.tell(new WorkerPool.Want(PARTITION, EPOCH, seen, workers, 0, 0));
  }

  /// Sends the dispatcher's demand and holdings.
  void says(int workers, int spare, long seen, int idle) {
    pool.tell(new WorkerPool.Want(PARTITION, EPOCH, seen, workers, spare, idle));
  }

  WorkerCredit credited() {
    return said(PoolMessage.Credited.class, any -> true).credit();
  }

  /// Demands a worker, and awaits its credit.
  WorkerCredit credit() {
    wants(1, 0);
    return credited();
  }

  <T extends Dispatcher.Command> T said(Class<T> kind, Predicate<T> which) {
    var message = dispatcher.receiveMessage();
    return kind.isInstance(message) && which.test(kind.cast(message))
        ? kind.cast(message)
        : said(kind, which);
  }

  WorkerPool.Load load() {
    return BoundedWaits.get(
        AskPattern.<WorkerPool.Command, WorkerPool.Load>ask(
            pool, WorkerPool.GetLoad::new, HEARTBEAT, actors.system().scheduler()));
  }

  void until(String what, Predicate<WorkerPool.Load> condition) {
    BoundedWaits.until(what, () -> condition.test(load()));
  }

  Seat job(String type) {
    return job(type, JobOptions.DEFAULT);
  }

  Seat job(String type, JobOptions options) {
    var spec = new JobSpec(type, Json.NULL, "q", 0, null, null, options, null);
    return new Seat(new JobId(ids.next(0, PARTITION)), spec);
  }

  /// Job as a worker sees it.
  final class Seat {
    final JobId id;
    final JobSpec spec;
    final TestProbe<Job.Command> probe = actors.probe(Job.Command.class);

    private Seat(JobId id, JobSpec spec) {
      this.id = id;
      this.spec = spec;
    }

    void runs(WorkerCredit credit) {
      var run = new WorkerOrder.Run(credit.number(), id, 1, spec, null, probe.ref());
      credit.worker().tell(run);
    }

    void stops(WorkerCredit credit) {
      var why = new Cancellation(Cancellation.Cause.REQUESTED, "enough", "a test");
      credit
          .worker()
          .tell(new WorkerOrder.Stop(credit.number(), id, 1, why, Duration.ZERO, probe.ref()));
    }

    void hearsOfTheStart() {
      hears(JobCommand.Started.class);
    }

    <T extends JobCommand> Job.UpdateAttempt hears(Class<T> kind) {
      var message = probe.expectMessageClass(Job.UpdateAttempt.class);
      return kind.isInstance(message.command()) ? message : hears(kind);
    }

    /// Awaits the next report and leaves it unanswered.
    AttemptReport reported() {
      return report(hears(JobCommand.Report.class));
    }

    /// Awaits the next report and answers that it is recorded.
    AttemptReport records() {
      var report = hears(JobCommand.Report.class);
      report.replyTo().tell(new ReportReply.Recorded(id, 1));
      return report(report);
    }

    /// Awaits the next command routed to the job by its id.
    JobCommand routed() {
      return command(router.expectMessageClass(JobEnvelope.class));
    }

    Job.UpdateAttempt routedReport() {
      var message = (Job.UpdateAttempt) router.expectMessageClass(JobEnvelope.class).command();
      return message.command() instanceof JobCommand.Report ? message : routedReport();
    }

    private static AttemptReport report(Job.UpdateAttempt message) {
      return ((JobCommand.Report) message.command()).report();
    }

    private static JobCommand command(JobEnvelope message) {
      return ((Job.UpdateAttempt) message.command()).command();
    }
  }
}
