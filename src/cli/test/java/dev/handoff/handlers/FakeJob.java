package dev.handoff.handlers;

import dev.handoff.JobContext;
import dev.handoff.JobHandle;
import dev.handoff.JobHandler;
import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import dev.handoff.Submission;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.plan.Capture;
import dev.handoff.plan.PlanChanges;
import dev.handoff.plan.WorkingCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Attempt without an engine, which records the handler's calls.
final class FakeJob implements JobContext, JobHandler.LostAttempt {

  final List<String> log = new CopyOnWriteArrayList<>();
  final List<Double> progress = new CopyOnWriteArrayList<>();
  final AtomicInteger heartbeats = new AtomicInteger();
  final CompletableFuture<Object> kept = new CompletableFuture<>();

  /// Answer to the storing of a checkpoint.
  CompletionStage<Void> keeping = CompletableFuture.completedStage(null);

  private final CancellationSource source = new CancellationSource();
  private final int attempt;
  private final @Nullable Object checkpoint;

  private FakeJob(int attempt, @Nullable Object checkpoint) {
    this.attempt = attempt;
    this.checkpoint = checkpoint;
  }

  static FakeJob first() {
    return new FakeJob(1, null);
  }

  static FakeJob attempt(int number) {
    return new FakeJob(number, null);
  }

  /// Attempt after one that stored this checkpoint.
  static FakeJob after(Object checkpoint) {
    return new FakeJob(2, checkpoint);
  }

  @Override
  public void later(Duration delay) {
    throw new UnsupportedOperationException();
  }

  void cancel() {
    source.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "test"));
  }

  @Override
  public JobId id() {
    return new JobId("01M7QA29F8201SE11P2AY4J500");
  }

  @Override
  public JobId job() {
    return id();
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public String type() {
    return "test";
  }

  @Override
  public String queue() {
    return "default";
  }

  @Override
  public Map<String, String> labels() {
    return Map.of();
  }

  @Override
  public CancellationToken cancellation() {
    return source.token();
  }

  @Override
  public void progress(double fraction, String message) {
    progress.add(fraction);
  }

  @Override
  public void heartbeat() {
    heartbeats.incrementAndGet();
  }

  @Override
  public void log(String line) {
    log.add(line);
  }

  @Override
  public CompletionStage<Void> checkpoint(@Nullable Object value) {
    kept.complete(value);
    return keeping;
  }

  @Override
  public <T> Optional<T> checkpoint(Class<T> type) {
    return Optional.ofNullable(checkpoint).map(type::cast);
  }

  @Override
  public CompletionStage<Submission> submit(JobRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<ContextAnswer> context(ContextRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Outcome await(JobHandle child) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> plan() {
    return Optional.empty();
  }

  @Override
  public Optional<String> step() {
    return Optional.empty();
  }

  @Override
  public PlanChanges changes() {
    throw new IllegalStateException("no step");
  }

  @Override
  public void decide(String text) {
    throw new IllegalStateException("no step");
  }

  @Override
  public <T> Optional<T> result(String step, Class<T> type) {
    throw new IllegalStateException("no step");
  }

  @Override
  public WorkingCopy workingCopy(Capture capture) {
    throw new IllegalStateException("no step");
  }
}
