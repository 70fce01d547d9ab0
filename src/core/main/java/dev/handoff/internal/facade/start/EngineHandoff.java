package dev.handoff.internal.facade.start;

import dev.handoff.CancelHandle;
import dev.handoff.Handoff;
import dev.handoff.Health;
import dev.handoff.JobEvent;
import dev.handoff.JobFilter;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobPage;
import dev.handoff.JobRequest;
import dev.handoff.QueueCommands;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.breaker.BreakerCommands;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.facade.ContextCalls;
import dev.handoff.internal.facade.EngineBreakers;
import dev.handoff.internal.facade.EngineHealth;
import dev.handoff.internal.facade.EngineQueues;
import dev.handoff.internal.facade.EventStream;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.JobLists;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.facade.plan.EnginePlans;
import dev.handoff.plan.PlanCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.slf4j.LoggerFactory;

/// Engine of this process, as its users see it.
public final class EngineHandoff implements Handoff {

  private static final int LARGEST_BATCH = 256;
  private static final int BATCHES_UNDER_WAY = 4;

  private final RunningEngine engine;
  private final JobCalls jobs;
  private final EngineEnd end;
  private final AtomicBoolean isDown = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  EngineHandoff(JobCalls jobs, EngineEnd end) {
    this.engine = jobs.engine();
    this.jobs = jobs;
    this.end = end;
  }

  /// Parts of this engine.
  public RunningEngine engine() {
    return engine;
  }

  @Override
  public CompletionStage<Submission> submit(JobRequest request) {
    Objects.requireNonNull(request, "request");
    return AnswerStage.of(jobs.submit(request));
  }

  @Override
  public JobHandle submitOrThrow(JobRequest request) {
    Objects.requireNonNull(request, "request");
    return AnswerStage.of(jobs.submit(request)).join().orThrow();
  }

  @Override
  public CompletionStage<List<Submission>> submit(List<JobRequest> requests) {
    Objects.requireNonNull(requests, "requests");
    return AnswerStage.of(jobs.submit(requests));
  }

  @Override
  public Flow<JobRequest, Submission.Accepted, NotUsed> submitAll() {
    return Flow.of(JobRequest.class)
        .batch(LARGEST_BATCH, EngineHandoff::first, EngineHandoff::plus)
        .mapAsync(BATCHES_UNDER_WAY, jobs::submit)
        .mapConcat(answers -> answers)
        .map(submission -> new Submission.Accepted(submission.orThrow()));
  }

  private static List<JobRequest> first(JobRequest request) {
    return plus(new ArrayList<>(), request);
  }

  private static List<JobRequest> plus(List<JobRequest> batch, JobRequest next) {
    batch.add(next);
    return batch;
  }

  @Override
  public JobHandle handle(JobId id) {
    Objects.requireNonNull(id, "id");
    return jobs.handle(id);
  }

  @Override
  public CancelHandle cancel(JobId id, String reason) {
    return cancel(id, reason, "api");
  }

  @Override
  public CancelHandle cancel(JobId id, String reason, String by) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(by, "by");
    return jobs.cancel(id, reason, by);
  }

  @Override
  public CompletionStage<RetryAnswer> retry(JobId id, String by) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(by, "by");
    return AnswerStage.of(jobs.retry(id, by));
  }

  @Override
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    Objects.requireNonNull(id, "id");
    return AnswerStage.of(jobs.job(id));
  }

  @Override
  public CompletionStage<JobPage> jobs(JobFilter filter, Optional<String> cursor, int limit) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(cursor, "cursor");
    return AnswerStage.of(new JobLists(engine).page(filter, cursor, limit));
  }

  @Override
  public QueueCommands queues() {
    return new EngineQueues(engine);
  }

  @Override
  public PlanCommands plans() {
    return new EnginePlans(jobs);
  }

  @Override
  public BreakerCommands breakers() {
    return new EngineBreakers(engine);
  }

  @Override
  public CompletionStage<ContextAnswer> assemble(ContextRequest request) {
    return assemble(request, new CancellationSource().token());
  }

  @Override
  public CompletionStage<ContextAnswer> assemble(ContextRequest request, CancellationToken stop) {
    return AnswerStage.of(new ContextCalls(engine).assemble(request, stop));
  }

  @Override
  public Source<JobEvent, NotUsed> events() {
    return new EventStream(jobs).fromNow();
  }

  @Override
  public Source<JobEvent, NotUsed> eventsAfter(long number) {
    return new EventStream(jobs).after(number);
  }

  @Override
  public Materializer materializer() {
    return SystemMaterializer.get(engine.system()).materializer();
  }

  @Override
  public CompletionStage<Health> health() {
    return AnswerStage.of(
        engine
            .calls()
            .<Engine.Command, Engine.HealthReport>ask(engine.guardian(), Engine.GetHealth::new)
            .handle(
                (report, failure) ->
                    report == null
                        ? EngineHealth.unanswered(UnavailableReasons.of(failure))
                        : EngineHealth.of(report)));
  }

  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      try {
        new EngineShutdown(engine, end).run();
      } finally {
        closed.complete(null);
      }
    }
    closed.join();
  }

  /// Takes the engine down after an internal failure: fails all waiting callers, and calls the
  /// listener once, on a thread that may block.
  ///
  /// @throws OutOfMemoryError if the heap is full; the call can then be repeated
  void down(String reason, Consumer<String> listener, ThreadFactory threads) {
    if (!closing.get() && !isDown.get()) {
      engine.calls().end("the engine is down: " + reason);
      var telling = threads.newThread(() -> tell(listener, reason));
      if (isDown.compareAndSet(false, true)) {
        FullHeapSteps.outlast(Thread::start, telling);
      }
    }
  }

  private static void tell(Consumer<String> listener, String reason) {
    try {
      listener.accept(reason);
    } catch (Throwable failure) {
      LoggerFactory.getLogger(Handoff.class)
          .warn("the listener for the end of an engine failed", failure);
    }
  }
}
