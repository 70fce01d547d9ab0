package dev.handoff.internal.facade.start;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobHandler;
import dev.handoff.JobRequest;
import dev.handoff.StoreSettings;
import dev.handoff.TypeOptions;
import dev.handoff.context.Embedder;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import dev.handoff.internal.facade.HandlerRegistration;
import dev.handoff.internal.facade.JobSpecs;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.facade.SubmissionRules;
import dev.handoff.internal.facade.TypeDefaults;
import dev.handoff.internal.facade.plan.PlanDrafting;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.apply.DirectoryApplier;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.store.Store;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
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

/// Builder of an engine: its handlers and its settings.
public final class EngineBuilder implements HandoffBuilder {
  private final @Nullable ActorSystem<?> host;
  private final Map<String, HandlerRegistration<?>> handlers = new LinkedHashMap<>();
  private Config overrides = ConfigFactory.empty();
  private JsonFormat json = JsonFormat.standard();
  private InstantSource clock = InstantSource.system();
  private Consumer<String> onDown = reason -> {};
  private ThreadFactory onDownThreads =
      Thread.ofPlatform().daemon().name("handoff-on-down").factory();
  private StoreSettings.@Nullable Kind store;
  private ContextSetup context = ContextSetup.installed();
  private UnaryOperator<Store> around = UnaryOperator.identity();
  private Function<ContentReader, ApplyRunner.Work> applies = DirectoryApplier::new;

  /// Builder of an engine with an actor system of its own.
  public static EngineBuilder withOwnSystem() {
    return new EngineBuilder(null);
  }

  /// Builder of an engine on a host's actor system.
  public static EngineBuilder on(ActorSystem<?> host) {
    HostCheck.warn(host);
    return new EngineBuilder(host);
  }

  private EngineBuilder(@Nullable ActorSystem<?> host) {
    this.host = host;
  }

  @Override
  public <T> EngineBuilder handler(String type, Class<T> payload, JobHandler<T> handler) {
    return register(type, new HandlerRegistration<>(payload, handler));
  }

  private EngineBuilder register(String type, HandlerRegistration<?> registration) {
    SubmissionRules.checkName("type", type);
    if (handlers.putIfAbsent(type, registration) != null) {
      throw new IllegalStateException("type \"" + type + "\" has a handler already");
    }
    return this;
  }

  @Override
  public <T> EngineBuilder handler(
      String type, Class<T> payload, JobHandler<T> handler, UnaryOperator<TypeOptions> options) {
    var chosen = checked(type, options.apply(TypeOptions.NONE));
    return register(type, new HandlerRegistration<>(payload, handler, chosen));
  }

  @Override
  public EngineBuilder defaults(String type, UnaryOperator<TypeOptions> options) {
    var registration = handlers.get(type);
    if (registration == null) {
      throw new IllegalStateException(
          "type \"%s\" has no handler yet: register that first".formatted(type));
    }
    handlers.put(type, registration.with(checked(type, options.apply(registration.options()))));
    return this;
  }

  private TypeOptions checked(String type, TypeOptions chosen) {
    var request = JobRequest.of(type);
    JobSpecs.of(request, clock.instant(), JsonFormat.standard(), TypeDefaults.of(chosen));
    return chosen;
  }

  @Override
  public Optional<String> misfit(JobRequest request) {
    var registration = handlers.get(request.type());
    return registration == null
        ? Optional.empty()
        : registration.misfit(JobSpecs.payload(request, json), json);
  }

  @Override
  public Optional<PlanSubmission> misfit(PlanRequest request) {
    return Optional.ofNullable(PlanDrafting.of(request, EngineStarter.submissions(this)).refusal());
  }

  @Override
  public Optional<PlanSubmission> misfit(PlanFile file) {
    return Optional.ofNullable(PlanDrafting.of(file, EngineStarter.submissions(this)).refusal());
  }

  @Override
  public EngineBuilder directory(Path directory) {
    store = null;
    return set("store.kind", "file").set("store.file.directory", directory.toString());
  }

  @Override
  public EngineBuilder postgres(String jdbcUrl, @Nullable String user, @Nullable String password) {
    store = null;
    return set("store.kind", "postgres")
        .set("store.postgres.url", jdbcUrl)
        .set("store.postgres.user", user == null ? "" : user)
        .set("store.postgres.password", password == null ? "" : password);
  }

  @Override
  public EngineBuilder store(StoreSettings.Kind kind) {
    store = kind;
    return this;
  }

  /// Replaces the thread factory for the `onDown` listener, for tests.
  public EngineBuilder onDownThreads(ThreadFactory threads) {
    onDownThreads = threads;
    return this;
  }

  /// Decorates the opened store, for tests.
  public EngineBuilder around(UnaryOperator<Store> decorator) {
    around = decorator;
    return this;
  }

  /// Replaces the code that writes the changes of plans into directories, for tests.
  public EngineBuilder applies(Function<ContentReader, ApplyRunner.Work> maker) {
    applies = maker;
    return this;
  }

  @Override
  public EngineBuilder workers(int count) {
    return set("workers", count);
  }

  @Override
  public EngineBuilder partitions(int count) {
    return set("partitions", count);
  }

  @Override
  public EngineBuilder shutdownGrace(Duration time) {
    return set("shutdown-grace", time);
  }

  @Override
  public EngineBuilder cancelling(Duration grace, Duration abandon) {
    return set("cancel.grace", grace).set("cancel.abandon", abandon);
  }

  @Override
  public EngineBuilder strategy(Strategy strategy) {
    context = context.with(strategy);
    return this;
  }

  @Override
  public EngineBuilder contextParts(PipelineParts parts) {
    context = context.with(parts);
    return this;
  }

  @Override
  public EngineBuilder contextParts(String project, PipelineParts parts) {
    context = context.with(project, parts);
    return this;
  }

  @Override
  public EngineBuilder embedder(Embedder embedder) {
    context = context.with(embedder);
    return this;
  }

  @Override
  public EngineBuilder set(String key, Object value) {
    overrides = HandoffConfiguration.with(overrides, key, value);
    return this;
  }

  @Override
  public EngineBuilder objectMapper(ObjectMapper mapper) {
    json = new JsonFormat(mapper);
    return this;
  }

  @Override
  public EngineBuilder clock(InstantSource source) {
    clock = source;
    return this;
  }

  @Override
  public EngineBuilder onDown(Consumer<String> listener) {
    onDown = listener;
    return this;
  }

  @Override
  public Handoff start() {
    return EngineStarter.start(this);
  }

  @Nullable ActorSystem<?> host() {
    return host;
  }

  Map<String, HandlerRegistration<?>> handlers() {
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
