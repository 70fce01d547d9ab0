package dev.handoff;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.handoff.context.Parts;
import dev.handoff.context.Strategy;
import dev.handoff.context.workspace.Embedder;
import dev.handoff.job.JobError;
import dev.handoff.job.Json;
import dev.handoff.plan.Applies;
import dev.handoff.plan.apply.PlanWork;
import dev.handoff.plan.change.Contents;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
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

/// Puts an engine together. Everything has a default: see `reference.conf`, section `handoff`.
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
  private Function<Contents, Applies.Work> applies = PlanWork::new;

  HandoffBuilder(@Nullable ActorSystem<?> host) {
    this.host = host;
  }

  /// A handler, what its payload is read as, and what jobs of its type have by default.
  record Registration<T>(Class<T> payload, JobHandler<T> handler, TypeOptions options) {

    Registration(Class<T> payload, JobHandler<T> handler) {
      this(payload, handler, TypeOptions.NONE);
    }

    Registration<T> with(TypeOptions others) {
      return new Registration<>(payload, handler, others);
    }

    /// Why the handler would not take a payload; empty if it would, or says so only when it runs.
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

    /// [Json], and what is like it, reads `null` as a value of its own.
    private boolean takesNothing() {
      return payload == Void.class || payload == Object.class || payload == Optional.class;
    }
  }

  /// Runs jobs of a type with a handler; the payload is read as the given class
  /// ([dev.handoff.job.Json] takes it as it is). Jobs without a payload are refused, unless the
  /// class is one that stands for nothing as well, such as `Void`, `Object` and `Optional`.
  ///
  /// @throws InvalidRequestException if the type is not a name
  /// @throws IllegalStateException if the type has a handler
  public <T> HandoffBuilder handler(String type, Class<T> payload, JobHandler<T> handler) {
    return register(type, new Registration<>(payload, handler));
  }

  private HandoffBuilder register(String type, Registration<?> registration) {
    Rules.checkName("type", type);
    if (handlers.putIfAbsent(type, registration) != null) {
      throw new IllegalStateException("type \"" + type + "\" has a handler already");
    }
    return this;
  }

  /// Runs jobs of a type with a handler, and gives them options: `o -> o.maxAttempts(5)`.
  ///
  /// @throws InvalidRequestException if the type is not a name, or an option is out of its range
  /// @throws IllegalStateException if the type has a handler
  public <T> HandoffBuilder handler(
      String type, Class<T> payload, JobHandler<T> handler, UnaryOperator<TypeOptions> options) {
    var chosen = checked(type, options.apply(TypeOptions.NONE));
    return register(type, new Registration<>(payload, handler, chosen));
  }

  /// Gives options to the jobs of a type that has a handler: what their requests say wins. They
  /// hold for children and for steps of plans as well.
  ///
  /// @throws InvalidRequestException if one of them is out of its range
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

  /// Why the handler of a job's type would not take its payload, as a submission would be told;
  /// empty if it would, or says so only when it runs. Needs no engine.
  public Optional<String> misfit(JobRequest request) {
    var registration = handlers.get(request.type());
    return registration == null
        ? Optional.empty()
        : registration.misfit(request.payload(json), json);
  }

  /// Why a plan would not be accepted, as its submission would be told; empty if it would. Needs no
  /// engine.
  public Optional<PlanSubmission> misfit(PlanRequest request) {
    return Optional.ofNullable(PlanDrafting.of(request, Starter.submissions(this)).refusal());
  }

  /// The directory of the embedded file store; `./handoff-data` by default.
  public HandoffBuilder directory(Path directory) {
    store = null;
    return set("store.kind", "file").set("store.file.directory", directory.toString());
  }

  /// PostgreSQL instead of the file store.
  public HandoffBuilder postgres(String jdbcUrl, @Nullable String user, @Nullable String password) {
    store = null;
    return set("store.kind", "postgres")
        .set("store.postgres.url", jdbcUrl)
        .set("store.postgres.user", user == null ? "" : user)
        .set("store.postgres.password", password == null ? "" : password);
  }

  /// Any store, whatever the configuration says.
  public HandoffBuilder store(StoreSettings.Kind kind) {
    store = kind;
    return this;
  }

  /// Makes the thread that tells the listener for the end, for tests.
  HandoffBuilder onDownThreads(ThreadFactory threads) {
    onDownThreads = threads;
    return this;
  }

  /// Puts something around the store that is opened, for tests.
  HandoffBuilder around(UnaryOperator<Store> decorator) {
    around = decorator;
    return this;
  }

  /// Has something else write the changes of plans into directories, for tests.
  HandoffBuilder applies(Function<Contents, Applies.Work> maker) {
    applies = maker;
    return this;
  }

  /// How many attempts run at once; 128 by default. With 0 nothing is run: the engine takes, keeps,
  /// cancels and applies.
  public HandoffBuilder workers(int count) {
    return set("workers", count);
  }

  /// How many parts a new store is split into; an existing one must have as many. By default an
  /// existing store keeps its number, and a new one gets 2 in a file or in memory, 16 on
  /// PostgreSQL.
  public HandoffBuilder partitions(int count) {
    return set("partitions", count);
  }

  /// How long [Handoff#close] lets running attempts go on; 30 s by default.
  public HandoffBuilder shutdownGrace(Duration time) {
    return set("shutdown-grace", time);
  }

  /// How long a cancelled handler may go on before it is interrupted (10 s by default), and before
  /// it is abandoned (30 s by default, from the cancel).
  public HandoffBuilder cancelling(Duration grace, Duration abandon) {
    return set("cancel.grace", grace).set("cancel.abandon", abandon);
  }

  /// Adds a way to find context, which looks for every request unless the request names others.
  ///
  /// @throws InvalidRequestException if its name is not a name
  /// @throws IllegalStateException if there is a strategy of its name
  public HandoffBuilder strategy(Strategy strategy) {
    context = context.with(strategy);
    return this;
  }

  /// Replaces parts of the pipeline that makes a context.
  public HandoffBuilder contextParts(Parts parts) {
    context = context.with(parts);
    return this;
  }

  /// Replaces them for the requests of a project.
  ///
  /// @throws InvalidRequestException if the project's name is not a name
  public HandoffBuilder contextParts(String project, Parts parts) {
    context = context.with(project, parts);
    return this;
  }

  /// Makes the vectors of the strategy `semantic-embedding`.
  public HandoffBuilder embedder(Embedder embedder) {
    context = context.with(embedder);
    return this;
  }

  /// Any key of the section `handoff`, such as `queues.weights.mail`.
  ///
  /// @throws IllegalArgumentException if there is no such key, or the value cannot stand there
  public HandoffBuilder set(String key, Object value) {
    overrides = Configuration.with(overrides, key, value);
    return this;
  }

  /// How payloads, results and checkpoints are written and read.
  public HandoffBuilder objectMapper(ObjectMapper mapper) {
    json = new JsonFormat(mapper);
    return this;
  }

  /// Where the time comes from. For tests.
  public HandoffBuilder clock(InstantSource source) {
    clock = source;
    return this;
  }

  /// Called once if the engine goes down by itself, with the reason: its store was taken over or
  /// cannot be read, or a part of it has failed, for want of memory too. The host's JVM goes on.
  public HandoffBuilder onDown(Consumer<String> listener) {
    onDown = listener;
    return this;
  }

  /// Opens the store and starts the engine. Returns when jobs can be submitted.
  ///
  /// @throws dev.handoff.store.StoreException if the store cannot be opened: it says why, and what
  ///   to do
  /// @throws StartException if the engine cannot be started on it
  /// @throws IllegalArgumentException if a setting is out of its range
  public Handoff start() {
    return Starter.start(this);
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

  Function<Contents, Applies.Work> applies() {
    return applies;
  }
}
