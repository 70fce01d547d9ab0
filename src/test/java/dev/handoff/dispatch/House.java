package dev.handoff.dispatch;

import com.typesafe.config.ConfigFactory;
import dev.handoff.context.assembly.Assembler;
import dev.handoff.context.workspace.HashedEmbedder;
import dev.handoff.engine.Engine;
import dev.handoff.engine.EngineSettings;
import dev.handoff.engine.Gateway;
import dev.handoff.engine.Partition;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.Ulid;
import dev.handoff.plan.apply.PlanWork;
import dev.handoff.plan.change.StoreContents;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.testing.Actors;
import dev.handoff.testing.History;
import dev.handoff.testing.Soon;
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

/// A whole engine over a store in memory, with the handlers of a test.
final class House implements AutoCloseable {

  private static final Duration ASK = Duration.ofSeconds(20);

  private final Actors actors;
  private final Plan plan;
  private final Store store;
  private final ActorRef<Engine.Command> engine;
  private final Engine.Ready doors;

  /// What is to be built.
  static final class Plan {
    private final Map<String, AttemptCode> code = new LinkedHashMap<>();
    private String settings = "";
    private int partitions = 2;
    private InstantSource clock = InstantSource.system();
    private UnaryOperator<Store> around = UnaryOperator.identity();

    /// Notes every fact that is durable.
    Plan watched(History history) {
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

    House build(Actors actors) {
      var memory = new StoreSettings.Memory();
      var access = StoreSettings.Access.OWN;
      return build(actors, Stores.open(new StoreSettings(memory, partitions, access, "a test")));
    }

    /// @param store whose jobs are there already
    House build(Actors actors, Store store) {
      return new House(actors, this, around.apply(store));
    }
  }

  private House(Actors actors, Plan plan, Store store) {
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
        new Engine.Contexts(Assembler.Kit.NONE, new HashedEmbedder(), Optional.empty()),
        new PlanWork(new StoreContents(store)),
        plan.clock,
        reason -> {});
  }

  JobId submit(String type) {
    return submit(JobSpec.of(type, Json.NULL));
  }

  JobId submit(JobSpec spec) {
    return ((SubmitReply.Accepted) Soon.get(submitting(spec))).job();
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

  /// The state of a job that has ended.
  JobState end(JobId job) {
    try {
      return ((JobReply.Done) Soon.get(ending(job))).state();
    } catch (RuntimeException unanswered) {
      throw new AssertionError(describe(job), unanswered);
    }
  }

  /// For a job that does not end: where it stands, and what the others know.
  private String describe(JobId job) {
    JobReply state = ask(doors.gateway(), replyTo -> route(job, new Job.Get(replyTo)));
    return "does not end: %s, %s".formatted(state, health());
  }

  CompletionStage<JobReply> ending(JobId job) {
    return asking(doors.gateway(), replyTo -> route(job, new Job.Watch(replyTo)));
  }

  /// How every job of which a fact was written has ended.
  List<JobState> ends(History history) {
    return history.all(History.Written.class).stream()
        .map(History.Written::job)
        .distinct()
        .map(this::end)
        .toList();
  }

  /// The state of a job as it is now.
  JobState state(JobId job) {
    JobReply reply = ask(doors.gateway(), replyTo -> route(job, new Job.Get(replyTo)));
    return ((JobReply.Done) reply).state();
  }

  /// Ends a job. Returns when that is durable.
  JobReply cancel(JobId job) {
    return Soon.get(cancelling(job));
  }

  CompletionStage<JobReply> cancelling(JobId job) {
    var cancel = new JobCommand.Cancel("enough", "a test");
    return asking(doors.gateway(), replyTo -> route(job, new Job.Do(cancel, replyTo)));
  }

  /// Opens a job again, if that can be done.
  JobReply retry(JobId job) {
    var retry = new JobCommand.Retry("an operator");
    return ask(doors.gateway(), replyTo -> route(job, new Job.Do(retry, replyTo)));
  }

  private static Gateway.Command route(JobId job, Job.Command command) {
    return new Gateway.Route(new ForJob(job, command));
  }

  Queues.Reply change(String queue, Queues.Setting setting) {
    return Soon.get(changing(queue, setting));
  }

  CompletionStage<Queues.Reply> changing(String queue, Queues.Setting setting) {
    return asking(doors.queues(), replyTo -> new Queues.Change(queue, setting, replyTo));
  }

  Engine.HealthReport health() {
    return ask(engine, Engine.GetHealth::new);
  }

  /// How many jobs there are, whatever they wait for.
  long live() {
    return health().dispatchers().stream()
        .flatMap(load -> load.queues().values().stream())
        .mapToLong(queue -> queue.queued() + queue.scheduled() + queue.running())
        .sum();
  }

  /// Everything is back where it was: no job, no busy worker.
  void awaitRest() {
    try {
      Soon.until("nothing runs", this::isAtRest);
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

  /// Stops in order.
  void shutDown() {
    ask(engine, Engine.Shutdown::new);
  }

  /// Stops as a process that is killed, but for its store.
  void kill() {
    actors.stop(engine);
  }

  @Override
  public void close() {
    kill();
    store.close();
  }

  private <Q, A> A ask(ActorRef<Q> whom, Function<ActorRef<A>, Q> question) {
    return Soon.get(asking(whom, question));
  }

  private <Q, A> CompletionStage<A> asking(ActorRef<Q> whom, Function<ActorRef<A>, Q> question) {
    return AskPattern.ask(whom, question::apply, ASK, actors.system().scheduler());
  }
}
