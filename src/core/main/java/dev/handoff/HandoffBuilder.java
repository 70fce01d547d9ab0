package dev.handoff;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.handoff.context.Embedder;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.apply.DirectoryApplier;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/// Builder of an engine. Every setting has a default: see `reference.conf`, section `handoff`.
public final class HandoffBuilder {

  private final @Nullable ActorSystem<?> host;
  private final Map<String, Registration<?>> handlers = new LinkedHashMap<>();
  private Config overrides = ConfigFactory.empty();
  private JsonFormat json = JsonFormat.standard();
  private InstantSource clock = InstantSource.system();
  private Consumer<String> onDown = reason -> {};
  private ThreadFactory onDownThreads =
      Thread.ofPlatform().daemon().name("handoff-on-down").factory();
  private StoreSettings.@Nullable Kind store;
  private ContextSetup context = ContextSetup.NONE;
  private UnaryOperator<Store> around = UnaryOperator.identity();
  private Function<ContentReader, ApplyRunner.Work> applies = DirectoryApplier::new;

  HandoffBuilder(@Nullable ActorSystem<?> host) {
    this.host = host;
  }

  /// Handler of a job type, with its payload class and the default options of its jobs.
  record Registration<T>(Class<T> payload, JobHandler<T> handler, TypeOptions options) {

    Registration(Class<T> payload, JobHandler<T> handler) {
      this(payload, handler, TypeOptions.NONE);
    }

    Registration<T> with(TypeOptions others) {
      return new Registration<>(payload, handler, others);
    }

    /// Reason why the handler rejects a payload; empty if the handler accepts it or can only tell
    /// at run time.
    Optional<String> misfit(Json written, JsonFormat json) {
      try {
        var read = json.payload(written, payload);
        if (handler instanceof CheckingHandler<T> checking) {
          checking.check(read);
          return Optional.empty();
        }
        return read == null && !takesNothing()
            ? Optional.of(PayloadMisfitException.missing(payload))
            : Optional.empty();
      } catch (PayloadMisfitException misfit) {
        return Optional.of(misfit.getMessage());
      } catch (OutOfMemoryError full) {
        throw full;
      } catch (Throwable wrong) {
        if (wrong instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        return Optional.of("payload: " + JobError.of(wrong).message());
      }
    }

    /// Payload classes that accept an absent payload. [Json] and similar classes need no entry:
    /// they read `null` as a value of their own.
    private boolean takesNothing() {
      return payload == Void.class || payload == Object.class || payload == Optional.class;
    }
  }

  /// Registers the handler of a job type. Payloads are read as the given class; [dev.handoff.Json]
  /// takes the JSON as it is. Jobs without a payload are refused, unless the class can stand for
  /// nothing, such as `Void`, `Object` and `Optional`.
  ///
  /// @throws InvalidRequestException if the type is not a valid name
  /// @throws IllegalStateException if the type already has a handler
  public <T> HandoffBuilder handler(String type, Class<T> payload, JobHandler<T> handler) {
    return register(type, new Registration<>(payload, handler));
  }

  private HandoffBuilder register(String type, Registration<?> registration) {
    SubmissionRules.checkName("type", type);
    if (handlers.putIfAbsent(type, registration) != null) {
      throw new IllegalStateException("type \"" + type + "\" has a handler already");
    }
    return this;
  }

  /// Registers the handler of a job type with options for its jobs: `o -> o.maxAttempts(5)`.
  ///
  /// @throws InvalidRequestException if the type is not a valid name, or an option is out of range
  /// @throws IllegalStateException if the type already has a handler
  public <T> HandoffBuilder handler(
      String type, Class<T> payload, JobHandler<T> handler, UnaryOperator<TypeOptions> options) {
    var chosen = checked(type, options.apply(TypeOptions.NONE));
    return register(type, new Registration<>(payload, handler, chosen));
  }

  /// Sets default options for the jobs of a registered type. An option in the request has
  /// precedence. The defaults also hold for child jobs and for steps of plans.
  ///
  /// @throws InvalidRequestException if an option is out of range
  /// @throws IllegalStateException if the type has no handler
  public HandoffBuilder defaults(String type, UnaryOperator<TypeOptions> options) {
    var registration = handlers.get(type);
    if (registration == null) {
      throw new IllegalStateException(
          "type \"%s\" has no handler yet: register that first".formatted(type));
    }
    handlers.put(type, registration.with(checked(type, options.apply(registration.options()))));
    return this;
  }

  private TypeOptions checked(String type, TypeOptions chosen) {
    JobRequest.of(type).toSpec(clock.instant(), JsonFormat.standard(), chosen);
    return chosen;
  }

  /// Reason why the handler of a job's type rejects its payload, as a submission would report it;
  /// empty if the handler accepts the payload or can only tell at run time. Needs no running
  /// engine.
  public Optional<String> misfit(JobRequest request) {
    var registration = handlers.get(request.type());
    return registration == null
        ? Optional.empty()
        : registration.misfit(request.payload(json), json);
  }

  /// Reason why a plan is not accepted, as its submission would report it; empty for an acceptable
  /// plan. Needs no running engine.
  public Optional<PlanSubmission> misfit(PlanRequest request) {
    return Optional.ofNullable(PlanDrafting.of(request, EngineStarter.submissions(this)).refusal());
  }

  /// Sets the directory of the embedded file store; `./handoff-data` by default.
  public HandoffBuilder directory(Path directory) {
    store = null;
    return set("store.kind", "file").set("store.file.directory", directory.toString());
  }

  /// Selects PostgreSQL instead of the file store.
  public HandoffBuilder postgres(String jdbcUrl, @Nullable String user, @Nullable String password) {
    store = null;
    return set("store.kind", "postgres")
        .set("store.postgres.url", jdbcUrl)
        .set("store.postgres.user", user == null ? "" : user)
        .set("store.postgres.password", password == null ? "" : password);
  }

  /// Selects a kind of store, whatever the configuration says.
  public HandoffBuilder store(StoreSettings.Kind kind) {
    store = kind;
    return this;
  }

  /// Replaces the thread factory for the `onDown` listener, for tests.
  HandoffBuilder onDownThreads(ThreadFactory threads) {
    onDownThreads = threads;
    return this;
  }

  /// Decorates the opened store, for tests.
  HandoffBuilder around(UnaryOperator<Store> decorator) {
    around = decorator;
    return this;
  }

  /// Replaces the code that writes the changes of plans into directories, for tests.
  HandoffBuilder applies(Function<ContentReader, ApplyRunner.Work> maker) {
    applies = maker;
    return this;
  }

  /// Number of attempts that run at once; 128 by default. With 0 the engine runs no jobs, but still
  /// accepts, stores, cancels and applies.
  public HandoffBuilder workers(int count) {
    return set("workers", count);
  }

  /// Number of partitions of a new store; an existing store must have the same number. By default
  /// an existing store keeps its number, and a new one gets 2 in a file or in memory, 16 on
  /// PostgreSQL.
  public HandoffBuilder partitions(int count) {
    return set("partitions", count);
  }

  /// Time that [Handoff#close] gives running attempts to end; 30 s by default.
  public HandoffBuilder shutdownGrace(Duration time) {
    return set("shutdown-grace", time);
  }

  /// Time from a cancel until the handler is interrupted (10 s by default), and until it is
  /// abandoned (30 s by default).
  public HandoffBuilder cancelling(Duration grace, Duration abandon) {
    return set("cancel.grace", grace).set("cancel.abandon", abandon);
  }

  /// Adds a context strategy. The strategy serves every request that does not name other
  /// strategies.
  ///
  /// @throws InvalidRequestException if the strategy's name is not a valid name
  /// @throws IllegalStateException if a strategy with this name exists
  public HandoffBuilder strategy(Strategy strategy) {
    context = context.with(strategy);
    return this;
  }

  /// Replaces parts of the context pipeline.
  public HandoffBuilder contextParts(PipelineParts parts) {
    context = context.with(parts);
    return this;
  }

  /// Replaces parts of the context pipeline for the requests of one project.
  ///
  /// @throws InvalidRequestException if the project is not a valid name
  public HandoffBuilder contextParts(String project, PipelineParts parts) {
    context = context.with(project, parts);
    return this;
  }

  /// Sets the embedder, which makes the vectors of the strategy `semantic-embedding`.
  public HandoffBuilder embedder(Embedder embedder) {
    context = context.with(embedder);
    return this;
  }

  /// Sets any key of the section `handoff`, such as `queues.weights.mail`.
  ///
  /// @throws IllegalArgumentException if the key does not exist, or the value is not valid for it
  public HandoffBuilder set(String key, Object value) {
    overrides = HandoffConfiguration.with(overrides, key, value);
    return this;
  }

  /// Sets the ObjectMapper that writes and reads payloads, results and checkpoints.
  public HandoffBuilder objectMapper(ObjectMapper mapper) {
    json = new JsonFormat(mapper);
    return this;
  }

  /// Sets the clock, for tests.
  public HandoffBuilder clock(InstantSource source) {
    clock = source;
    return this;
  }

  /// Sets the listener for a failure of the engine. It is called once, with the reason: another
  /// engine took over the store, the store cannot be read, or a part of the engine failed, for
  /// example for lack of memory. The host's JVM keeps running.
  public HandoffBuilder onDown(Consumer<String> listener) {
    onDown = listener;
    return this;
  }

  /// Opens the store and starts the engine. Returns when the engine accepts jobs.
  ///
  /// @throws dev.handoff.StoreException if the store cannot be opened; the message gives the reason
  ///   and the remedy
  /// @throws StartException if the engine cannot start on this store
  /// @throws IllegalArgumentException if a setting is out of range
  public Handoff start() {
    return EngineStarter.start(this);
  }

  @Nullable ActorSystem<?> host() {
    return host;
  }

  Map<String, Registration<?>> handlers() {
    return Map.copyOf(handlers);
  }

  Config overrides() {
    return overrides;
  }

  JsonFormat json() {
    return json;
  }

  InstantSource clock() {
    return clock;
  }

  Consumer<String> onDown() {
    return onDown;
  }

  ThreadFactory onDownThreads() {
    return onDownThreads;
  }

  StoreSettings.@Nullable Kind store() {
    return store;
  }

  ContextSetup context() {
    return context;
  }

  UnaryOperator<Store> around() {
    return around;
  }

  Function<ContentReader, ApplyRunner.Work> applies() {
    return applies;
  }
}
