package dev.handoff.internal.dispatch;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.internal.dispatch.worker.AttemptCode;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.internal.plan.apply.DirectoryApplier;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.WatchedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Complete engine on a memory store, with handlers of the test.
final class InMemoryEngine implements AutoCloseable {

  private static final Duration ASK = Duration.ofSeconds(20);

  private final TestActors actors;
  private final Plan plan;
  private final Store store;
  private final ActorRef<Engine.Command> engine;
  private final Engine.Ready doors;

  /// Builder of an engine.
  static final class Plan {
    private final Map<String, AttemptCode> code = new LinkedHashMap<>();
    private String settings = "";
    private int partitions = 2;
    private InstantSource clock = InstantSource.system();
    private UnaryOperator<Store> around = UnaryOperator.identity();

    /// Records every durable fact in the history.
    Plan watched(ObservedHistory history) {
      return around(inner -> new WatchedStore(inner, history));
    }

    Plan around(UnaryOperator<Store> next) {
      var before = around;
      around = inner -> next.apply(before.apply(inner));
      return this;
    }

    Plan handler(String type, AttemptCode.Body body) {
      code.put(type, new AttemptCode(false, body));
      return this;
    }

    Plan settings(String more) {
      settings += more + "\n";
      return this;
    }

    Plan partitions(int count) {
      partitions = count;
      return this;
    }

    Plan clock(InstantSource other) {
      clock = other;
      return this;
    }

    InMemoryEngine build(TestActors actors) {
      var memory = new StoreSettings.Memory();
      var access = StoreSettings.Access.OWN;
      return build(
          actors, StoreOpener.open(new StoreSettings(memory, partitions, access, "a test")));
    }

    /// @param store store that can already contain jobs
    InMemoryEngine build(TestActors actors, Store store) {
      return new InMemoryEngine(actors, this, around.apply(store));
    }
  }

  private InMemoryEngine(TestActors actors, Plan plan, Store store) {
    this.actors = actors;
    this.plan = plan;
    this.store = store;
    this.engine = actors.spawn(Engine.create(blueprint()));
    this.doors = (Engine.Ready) ask(engine, Engine.AwaitStart::new);
  }

  static Plan plan() {
    return new Plan();
  }

  private Engine.Blueprint blueprint() {
    var config =
        ConfigFactory.parseString(plan.settings)
            .atPath("handoff")
            .withFallback(ConfigFactory.defaultReference());
    var settings = EngineSettings.from(config.resolve().getConfig("handoff"));
    return new Engine.Blueprint(
        "node",
        "a test",
        store,
        settings,
        plan.code,
        Optional.empty(),
        new DirectoryApplier(new StoreContents(store)),
        plan.clock,
        reason -> {});
  }

  JobId submit(String type) {
    return submit(JobSpec.of(type, Json.NULL));
  }

  JobId submit(JobSpec spec) {
    return ((SubmitReply.Accepted) BoundedWaits.get(submitting(spec))).job();
  }

  CompletionStage<SubmitReply> submitting(JobSpec spec) {
    var key = spec.uniqueKey();
    int count = doors.partitions().size();
    int partition =
        key == null
            ? ThreadLocalRandom.current().nextInt(count)
            : Math.floorMod(key.hashCode(), count);
    var random = ThreadLocalRandom.current();
    var id = new JobId(new Ulid(random).next(System.currentTimeMillis(), partition));
    return asking(
        doors.partitions().get(partition), replyTo -> new Partition.Submit(id, spec, replyTo));
  }

  /// Awaits the end of a job.
  JobState end(JobId job) {
    try {
      return ((WatchReply.Ended) BoundedWaits.get(ending(job))).state();
    } catch (RuntimeException unanswered) {
      throw new AssertionError(describe(job), unanswered);
    }
  }

  /// Diagnosis of a job that does not end: its state and the engine's health.
  private String describe(JobId job) {
    StateReply state = ask(doors.gateway(), replyTo -> route(job, new Job.Get(replyTo)));
    return "does not end: %s, %s".formatted(state, health());
  }

  CompletionStage<WatchReply> ending(JobId job) {
    return asking(doors.gateway(), replyTo -> route(job, new Job.Watch(replyTo)));
  }

  /// Final states of all jobs with facts in the history.
  List<JobState> ends(ObservedHistory history) {
    return history.all(ObservedHistory.Written.class).stream()
        .map(ObservedHistory.Written::job)
        .distinct()
        .map(this::end)
        .toList();
  }

  /// Current state of a job.
  JobState state(JobId job) {
    StateReply reply = ask(doors.gateway(), replyTo -> route(job, new Job.Get(replyTo)));
    return ((StateReply.Found) reply).state();
  }

  /// Cancels a job, and returns when the request is durable.
  JobReply cancel(JobId job) {
    return BoundedWaits.get(cancelling(job));
  }

  CompletionStage<JobReply> cancelling(JobId job) {
    var cancel = new JobCommand.Cancel("enough", "a test");
    return asking(doors.gateway(), replyTo -> route(job, new Job.Do(cancel, replyTo)));
  }

  /// Retries a job, if its state allows it.
  JobReply retry(JobId job) {
    var retry = new JobCommand.Retry("an operator");
    return ask(doors.gateway(), replyTo -> route(job, new Job.Do(retry, replyTo)));
  }

  private static Gateway.Command route(JobId job, Job.Command command) {
    return new Gateway.Route(new JobEnvelope(job, command));
  }

  Queues.Reply change(String queue, Queues.Setting setting) {
    return BoundedWaits.get(changing(queue, setting));
  }

  CompletionStage<Queues.Reply> changing(String queue, Queues.Setting setting) {
    return asking(doors.queues(), replyTo -> new Queues.Change(queue, setting, replyTo));
  }

  Engine.HealthReport health() {
    return ask(engine, Engine.GetHealth::new);
  }

  /// Number of live jobs.
  long live() {
    return health().dispatchers().stream()
        .flatMap(load -> load.queues().values().stream())
        .mapToLong(queue -> queue.queued() + queue.scheduled() + queue.running())
        .sum();
  }

  /// Waits until no job is live and all workers are idle.
  void awaitRest() {
    try {
      BoundedWaits.until("nothing runs", this::isAtRest);
    } catch (AssertionError restless) {
      throw new AssertionError(restless.getMessage() + ": " + health(), restless);
    }
  }

  private boolean isAtRest() {
    var pool = health().pool();
    return live() == 0 && pool != null && pool.busy() == 0 && pool.parked() == 0;
  }

  Store store() {
    return store;
  }

  /// Stops the engine in an orderly way.
  void shutDown() {
    ask(engine, Engine.Shutdown::new);
  }

  /// Stops the engine like a killed process, but leaves its store open.
  void kill() {
    actors.stop(engine);
  }

  @Override
  public void close() {
    kill();
    store.close();
  }

  private <Q, A> A ask(ActorRef<Q> whom, Function<ActorRef<A>, Q> question) {
    return BoundedWaits.get(asking(whom, question));
  }

  private <Q, A> CompletionStage<A> asking(ActorRef<Q> whom, Function<ActorRef<A>, Q> question) {
    return AskPattern.ask(whom, question::apply, ASK, actors.system().scheduler());
  }
}
