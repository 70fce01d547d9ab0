package dev.handoff;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.handoff.context.Embedder;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Builder of an engine. Every setting has a default: see `reference.conf`, section `handoff`.
public interface HandoffBuilder {

  /// Registers the handler of a job type. Payloads are read as the given class; [dev.handoff.Json]
  /// takes the JSON as it is. Jobs without a payload are refused, unless the class can stand for
  /// nothing, such as `Void`, `Object` and `Optional`.
  ///
  /// @throws InvalidRequestException if the type is not a valid name
  /// @throws IllegalStateException if the type already has a handler
  <T> HandoffBuilder handler(String type, Class<T> payload, JobHandler<T> handler);

  /// Registers the handler of a job type with options for its jobs: `o -> o.maxAttempts(5)`.
  ///
  /// @throws InvalidRequestException if the type is not a valid name, or an option is out of range
  /// @throws IllegalStateException if the type already has a handler
  <T> HandoffBuilder handler(
      String type, Class<T> payload, JobHandler<T> handler, UnaryOperator<TypeOptions> options);

  /// Sets default options for the jobs of a registered type. An option in the request has
  /// precedence. The defaults also hold for child jobs and for steps of plans.
  ///
  /// @throws InvalidRequestException if an option is out of range
  /// @throws IllegalStateException if the type has no handler
  HandoffBuilder defaults(String type, UnaryOperator<TypeOptions> options);

  /// Reason why the handler of a job's type rejects its payload, as a submission would report it;
  /// empty if the handler accepts the payload or can only tell at run time. Needs no running
  /// engine.
  Optional<String> misfit(JobRequest request);

  /// Reason why a plan is not accepted, as its submission would report it; empty for an acceptable
  /// plan. Needs no running engine.
  Optional<PlanSubmission> misfit(PlanRequest request);

  /// Reason why the plan of a file is not accepted. Each problem has the name of the file and the
  /// line of its step.
  Optional<PlanSubmission> misfit(PlanFile file);

  /// Sets the directory of the embedded file store; `./handoff-data` by default.
  HandoffBuilder directory(Path directory);

  /// Selects PostgreSQL instead of the file store.
  HandoffBuilder postgres(String jdbcUrl, @Nullable String user, @Nullable String password);

  /// Selects a kind of store, whatever the configuration says.
  HandoffBuilder store(StoreSettings.Kind kind);

  /// Number of attempts that run at once; 128 by default. With 0 the engine runs no jobs, but still
  /// accepts, stores, cancels and applies.
  HandoffBuilder workers(int count);

  /// Number of partitions of a new store; an existing store must have the same number. By default
  /// an existing store keeps its number, and a new one gets 2 in a file or in memory, 16 on
  /// PostgreSQL.
  HandoffBuilder partitions(int count);

  /// Time that [Handoff#close] gives running attempts to end; 30 s by default.
  HandoffBuilder shutdownGrace(Duration time);

  /// Time from a cancel until the handler is interrupted (10 s by default), and until it is
  /// abandoned (30 s by default).
  HandoffBuilder cancelling(Duration grace, Duration abandon);

  /// Adds a context strategy. The strategy serves every request that does not name other
  /// strategies.
  ///
  /// @throws InvalidRequestException if the strategy's name is not a valid name
  /// @throws IllegalStateException if a strategy with this name exists, or `handoff-context` is not
  ///   installed
  HandoffBuilder strategy(Strategy strategy);

  /// Replaces parts of the context pipeline.
  ///
  /// @throws IllegalStateException if `handoff-context` is not installed
  HandoffBuilder contextParts(PipelineParts parts);

  /// Replaces parts of the context pipeline for the requests of one project.
  ///
  /// @throws InvalidRequestException if the project is not a valid name
  /// @throws IllegalStateException if `handoff-context` is not installed
  HandoffBuilder contextParts(String project, PipelineParts parts);

  /// Sets the embedder, which makes the vectors of the strategy `semantic-embedding`.
  ///
  /// @throws IllegalStateException if `handoff-context` is not installed
  HandoffBuilder embedder(Embedder embedder);

  /// Sets any key of the section `handoff`, such as `queues.weights.mail`.
  ///
  /// @throws IllegalArgumentException if the key does not exist, or the value is not valid for it
  HandoffBuilder set(String key, Object value);

  /// Sets the ObjectMapper that writes and reads payloads, results and checkpoints.
  HandoffBuilder objectMapper(ObjectMapper mapper);

  /// Sets the clock, for tests.
  HandoffBuilder clock(InstantSource source);

  /// Sets the listener for a failure of the engine. It is called once, with the reason: another
  /// engine took over the store, the store cannot be read, or a part of the engine failed, for
  /// example for lack of memory. The host's JVM keeps running.
  HandoffBuilder onDown(Consumer<String> listener);

  /// Opens the store and starts the engine. Returns when the engine accepts jobs.
  ///
  /// @throws dev.handoff.StoreException if the store cannot be opened; the message gives the reason
  ///   and the remedy
  /// @throws StartException if the engine cannot start on this store
  /// @throws IllegalArgumentException if a setting is out of range
  Handoff start();
}
