package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.breaker.GuardedCode;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.Resolution;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BusyThreads;
import dev.handoff.testing.PublicTypes;
import dev.handoff.testing.StoreDirectory;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Calls every public method that returns a stage. A new method is found by reflection and must be
/// added here.
@DisplayName("The stages of the public face")
class PublicStagesTest {

  /// Interfaces whose stages users create.
  private static final Set<Class<?>> OF_USERS = Set.of(GuardedCode.class, Strategy.class);

  @TempDir private Path root;
  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final Map<String, CompletionStage<?>> given = new ConcurrentSkipListMap<>();
  private Handoff handoff;
  private BusyThreads busy;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(root.resolve("claims.md"), "# Claims\n\nA claim is durable.\n");
    handoff =
        Handoff.builder()
            .store(home.store())
            .handler("quick", Json.class, (payload, job) -> payload)
            .handler("asking", Json.class, (payload, job) -> ask(job))
            .strategy(new Asking())
            .start();
  }

  @AfterEach
  void stop() {
    if (busy != null) {
      busy.close();
    }
    handoff.close();
    home.close();
  }

  @Test
  void callBackWhereCallbacksMayAndCompleteWhileNoneRuns() {
    busy = BusyThreads.ofAllCallbacks();

    askForJobs();
    askForPlans();
    askForQueuesAndBreakers();
    askForContexts();

    assertThat(given.keySet()).containsExactlyInAnyOrderElementsOf(names());
    assertThat(given)
        .allSatisfy((name, stage) -> assertThat(stage).isInstanceOf(AnswerStage.class));
    given.forEach((name, stage) -> BoundedWaits.until(name, stage.toCompletableFuture()::isDone));
  }

  @Test
  void callBackWhereCallbacksMayAlsoIfNothingIsAsked() {
    var plan = handoff.plans().submitOrThrow(PlanRequest.of("p").step("s", JobRequest.of("quick")));
    var stopped = new CancellationSource();
    stopped.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "a test"));

    assertThat(
            Stream.of(
                handoff.submit(JobRequest.of("unknown")),
                handoff.submit(List.of()),
                handoff.plans().submit(PlanRequest.of("p").step("s", JobRequest.of("unknown"))),
                handoff.breakers().call("b", Duration.ZERO, stopped.token(), token -> null),
                plan.record("set", Change.create("", "no path")),
                plan.apply(Path.of("")),
                stopped.token().asStage()))
        .allSatisfy(stage -> assertThat(stage).isInstanceOf(AnswerStage.class));
  }

  private void askForJobs() {
    var job =
        BoundedWaits.get(take("Handoff.submit(JobRequest)", handoff.submit(quick()))).orThrow();
    take("Handoff.submit(List)", handoff.submit(List.of(quick())));
    take("JobHandle.result()", job.result());
    take("JobHandle.ended()", job.ended());
    take("JobHandle.status()", job.status());
    take("Handoff.job(JobId)", handoff.job(job.id()));
    take("Handoff.jobs(JobFilter, Optional, int)", page());
    take("Handoff.retry(JobId, String)", handoff.retry(job.id(), "somebody"));
    take("Handoff.health()", handoff.health());
    var cancelling = job.cancel("enough");
    take("CancelHandle.requested()", cancelling.requested());
    take("CancelHandle.ended()", cancelling.ended());
    var source = new CancellationSource();
    take("CancellationToken.asStage()", source.token().asStage());
    source.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "a test"));
  }

  private static JobRequest quick() {
    return JobRequest.of("quick");
  }

  private CompletionStage<JobPage> page() {
    return handoff.jobs(JobFilter.ALL, Optional.empty(), 10);
  }

  private void askForPlans() {
    var request = PlanRequest.of("plan").step("only", JobRequest.of("asking"));
    var submitted = take("PlanCommands.submit(PlanRequest)", handoff.plans().submit(request));
    take("PlanCommands.list(Optional, int)", handoff.plans().list(Optional.empty(), 10));
    var plan = BoundedWaits.get(submitted).orThrow();
    askForChanges(plan);
    BoundedWaits.get(take("PlanHandle.result()", plan.result()));
    take("PlanHandle.ended()", plan.ended());
    take("PlanHandle.info()", plan.info());
    take("PlanHandle.changesets()", plan.changesets());
    take("PlanHandle.diff()", plan.diff());
    take("PlanHandle.diff(String)", plan.diff("none"));
    take("PlanHandle.diffOfStep(String)", plan.diffOfStep("only"));
    take("PlanHandle.conflicts()", plan.conflicts());
    take(
        "PlanHandle.resolve(String, Choice, String)",
        plan.resolve("a.txt", Resolution.Choice.OURS, "somebody"));
    take(
        "PlanHandle.resolve(String, byte[], String)",
        plan.resolve("a.txt", "one\n".getBytes(StandardCharsets.UTF_8), "somebody"));
    take("PlanHandle.check(Path)", plan.check(root));
    take("PlanHandle.apply(Path)", plan.apply(root));
    take("PlanHandle.verify()", plan.verify());
    take("PlanHandle.retry(String)", plan.retry("somebody"));
    var cancelling = plan.cancel("enough");
    take("PlanCancelHandle.requested()", cancelling.requested());
    take("PlanCancelHandle.ended()", cancelling.ended());
  }

  private void askForChanges(PlanHandle plan) {
    var change = Change.create("by-hand.txt", "one\n");
    var opened = plan.startChangeset("by hand", "somebody");
    take("PlanHandle.startChangeset(String, String)", opened);
    var changeset = ((ChangesetAnswer.Done) BoundedWaits.get(opened)).changeset();
    take("PlanHandle.record(Change)", plan.record(change));
    take("PlanHandle.record(String, Change)", plan.record(changeset, change));
    take("PlanHandle.record(String, List)", plan.record("none", List.of(change)));
    take("PlanHandle.close(String)", plan.close(changeset));
    take("PlanHandle.discard(String)", plan.discard("none"));
  }

  private Object ask(JobContext job) {
    take("JobContext.checkpoint(Object)", job.checkpoint("here"));
    take("JobContext.submit(JobRequest)", job.submit(quick()));
    take("JobContext.context(ContextRequest)", job.context(ContextRequest.of("claims", root)));
    var one = job.changes().record(Change.create("a.txt", "one\n"));
    take("PlanChanges.record(Change)", one);
    var two = job.changes().record(List.of(Change.create("b.txt", "two\n")));
    return BoundedWaits.get(take("PlanChanges.record(List)", two)).orThrow();
  }

  private void askForQueuesAndBreakers() {
    var queues = handoff.queues();
    take("QueueCommands.list()", queues.list());
    take("QueueCommands.pause(String)", queues.pause("other"));
    take("QueueCommands.resume(String)", queues.resume("other"));
    take("QueueCommands.limit(String, OptionalInt)", queues.limit("other", OptionalInt.of(1)));
    var breakers = handoff.breakers();
    var never = new CancellationSource().token();
    take("BreakerCommands.callBlocking(String, Callable)", breakers.callBlocking("b", () -> 1));
    BoundedWaits.get(
        take("BreakerCommands.call(String, Callable)", breakers.call("b", this::page)));
    take(
        "BreakerCommands.call(String, Duration, CancellationToken, GuardedCode)",
        breakers.call("b", Duration.ofSeconds(9), never, token -> page()));
    take("BreakerCommands.list()", breakers.list());
    take("BreakerCommands.get(String)", breakers.get("b"));
    take("BreakerCommands.forceOpen(String)", breakers.forceOpen("b"));
    take("BreakerCommands.disable(String)", breakers.disable("b"));
    take("BreakerCommands.automatic(String)", breakers.automatic("b"));
    take("BreakerCommands.reset(String)", breakers.reset("b"));
    take("BreakerCommands.resetAll()", breakers.resetAll());
  }

  private void askForContexts() {
    var request = ContextRequest.of("claims", root);
    take("Handoff.assemble(ContextRequest)", handoff.assemble(request));
    var never = new CancellationSource().token();
    BoundedWaits.get(
        take(
            "Handoff.assemble(ContextRequest, CancellationToken)",
            handoff.assemble(request, never)));
  }

  private final class Asking implements Strategy {
    @Override
    public String name() {
      return "asking";
    }

    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return 1;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      return take(
          "StrategyCall.ask(ContextRequest, Set)",
          call.ask(call.request(), Set.of("simple-keyword")));
    }
  }

  private <S extends CompletionStage<?>> S take(String name, S stage) {
    given.put(name, stage);
    return stage;
  }

  private static List<String> names() {
    return PublicTypes.reachedFrom(Set.of(Handoff.class, HandoffBuilder.class)).keySet().stream()
        .map(PublicStagesTest::type)
        .filter(type -> !OF_USERS.contains(type))
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> CompletionStage.class.isAssignableFrom(method.getReturnType()))
        .map(PublicStagesTest::name)
        .toList();
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static String name(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(
            Collectors.joining(
                ", ",
                method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(",
                ")"));
  }
}
