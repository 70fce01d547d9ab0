package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.dispatch.DispatchSettings;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.DispatcherBench;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.pool.WorkerPoolActor;
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
public final class PoolBench {

  public static final Duration HEARTBEAT = DispatcherBench.HEARTBEAT;
  public static final int PARTITION = 1;
  public static final long EPOCH = 5;

  public final HeldCode code = new HeldCode(false);
  public final HeldCode stubborn = new HeldCode(true);
  public final AtomicLong nanos = new AtomicLong();
  public final TestProbe<Dispatcher.Command> dispatcher;
  public final TestProbe<JobEnvelope> router;
  public final ActorRef<WorkerPool.Command> pool;
  private final TestActors actors;
  private final Ulid ids = new Ulid(new Random(1));
  private volatile Throwable noThread;
  private final CountDownLatch wordlessEnd = new CountDownLatch(1);
  private volatile Thread wordless;
  private volatile boolean isWordless;
  public volatile boolean wordlessIsInterrupted;
  private volatile boolean broken;
  private volatile Runnable beforeInterrupt;
  private volatile boolean busy;
  private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

  public PoolBench(TestActors actors, boolean remote, int workers) {
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
    pool = actors.spawn(WorkerPoolActor.create(new PoolId("pool"), remote, environment));
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

  public void hasNoThreads(Error why) {
    noThread = why;
  }

  /// Makes the next thread hang without running its task.
  public void hasWordlessThreads() {
    isWordless = true;
  }

  public void awaitWordlessThread() {
    BoundedWaits.until("there is a thread", () -> wordless != null);
  }

  /// Tells the credit's worker that the thread of its first attempt runs.
  public void begins(WorkerCredit credit) {
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
  public void endWordlessThread() throws InterruptedException {
    wordlessEnd.countDown();
    wordless.join();
  }

  /// Keeps new threads from running, until [#hasProcessors].
  public void hasNoProcessors() {
    busy = true;
  }

  /// Waits until a thread is queued for a processor.
  public void awaitWaitingThread() {
    BoundedWaits.until("a thread waits", () -> !waiting.isEmpty());
  }

  public void hasProcessors() {
    busy = false;
    for (var thread = waiting.poll(); thread != null; thread = waiting.poll()) {
      thread.start();
    }
  }

  /// Runs an action before each interrupt of a handler.
  public void beforeInterrupt(Runnable look) {
    beforeInterrupt = look;
  }

  /// Makes the next reading of the clock fail.
  public void breakTheClock() {
    broken = true;
  }

  public void passes(Duration time) {
    nanos.addAndGet(time.toNanos());
    actors.pass(time);
  }

  public void beat() {
    passes(HEARTBEAT);
  }

  public void wants(int workers, long seen) {
    pool.tell(new WorkerPool.Want(PARTITION, EPOCH, seen, workers, 0, 0));
  }

  /// Sends the dispatcher's demand and holdings.
  public void says(int workers, int spare, long seen, int idle) {
    pool.tell(new WorkerPool.Want(PARTITION, EPOCH, seen, workers, spare, idle));
  }

  public WorkerCredit credited() {
    return said(PoolMessage.Credited.class, any -> true).credit();
  }

  /// Demands a worker, and awaits its credit.
  public WorkerCredit credit() {
    wants(1, 0);
    return credited();
  }

  public <T extends Dispatcher.Command> T said(Class<T> kind, Predicate<T> which) {
    var message = dispatcher.receiveMessage();
    return kind.isInstance(message) && which.test(kind.cast(message))
        ? kind.cast(message)
        : said(kind, which);
  }

  public WorkerPool.Load load() {
    return BoundedWaits.get(
        AskPattern.<WorkerPool.Command, WorkerPool.Load>ask(
            pool, WorkerPool.GetLoad::new, HEARTBEAT, actors.system().scheduler()));
  }

  public void until(String what, Predicate<WorkerPool.Load> condition) {
    BoundedWaits.until(what, () -> condition.test(load()));
  }

  public Seat job(String type) {
    return job(type, JobOptions.DEFAULT);
  }

  public Seat job(String type, JobOptions options) {
    var spec = new JobSpec(type, Json.NULL, "q", 0, null, null, options, null);
    return new Seat(new JobId(ids.next(0, PARTITION)), spec);
  }

  /// Job as a worker sees it.
  public final class Seat {
    public final JobId id;
    public final JobSpec spec;
    public final TestProbe<Job.Command> probe = actors.probe(Job.Command.class);

    private Seat(JobId id, JobSpec spec) {
      this.id = id;
      this.spec = spec;
    }

    public void runs(WorkerCredit credit) {
      var run = new WorkerOrder.Run(credit.number(), id, 1, spec, null, probe.ref());
      credit.worker().tell(run);
    }

    public void stops(WorkerCredit credit) {
      var why = new Cancellation(Cancellation.Cause.REQUESTED, "enough", "a test");
      credit
          .worker()
          .tell(new WorkerOrder.Stop(credit.number(), id, 1, why, Duration.ZERO, probe.ref()));
    }

    public void hearsOfTheStart() {
      hears(JobCommand.Started.class);
    }

    public <T extends JobCommand> Job.UpdateAttempt hears(Class<T> kind) {
      var message = probe.expectMessageClass(Job.UpdateAttempt.class);
      return kind.isInstance(message.command()) ? message : hears(kind);
    }

    /// Awaits the next report and leaves it unanswered.
    public AttemptReport reported() {
      return report(hears(JobCommand.Report.class));
    }

    /// Awaits the next report and answers that it is recorded.
    public AttemptReport records() {
      var report = hears(JobCommand.Report.class);
      report.replyTo().tell(new ReportReply.Recorded(id, 1));
      return report(report);
    }

    /// Awaits the next command routed to the job by its id.
    public JobCommand routed() {
      return command(router.expectMessageClass(JobEnvelope.class));
    }

    public Job.UpdateAttempt routedReport() {
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
