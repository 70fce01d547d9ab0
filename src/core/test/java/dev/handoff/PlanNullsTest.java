package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.Capture;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.Content;
import dev.handoff.plan.PlanChanges;
import dev.handoff.plan.PlanCommands;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.Resolution;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Reflection finds every public method, including those added later.
@DisplayName("Null is refused with its name, at once, by")
class PlanNullsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final Set<String> OF_OBJECT = Set.of("equals", "wait");
  private static final String ULID = new Ulid(new Random(1)).next(0, 1);

  private static final Map<Class<?>, Object> SAMPLES =
      Map.ofEntries(
          Map.entry(String.class, "x"),
          Map.entry(String[].class, new String[] {"x"}),
          Map.entry(byte[].class, new byte[] {1}),
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(double.class, 0.5),
          Map.entry(boolean.class, true),
          Map.entry(List.class, List.of(Change.create("x", "x"))),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(Path.class, Path.of("x")),
          Map.entry(Duration.class, Duration.ofHours(1)),
          Map.entry(Class.class, String.class),
          Map.entry(Change.class, Change.create("x", "x")),
          Map.entry(Resolution.Choice.class, Resolution.Choice.OURS),
          Map.entry(PlanId.class, new PlanId(ULID)),
          Map.entry(JobId.class, new JobId(ULID)),
          Map.entry(JobFilter.class, JobFilter.ALL),
          Map.entry(JobRequest.class, JobRequest.of("x")),
          Map.entry(PlanRequest.class, PlanRequest.of("x")),
          Map.entry(PlanRequest.After.class, PlanRequest.after("x")),
          Map.entry(Capture.class, Capture.fromNothing()),
          Map.entry(StoreSettings.Kind.class, new StoreSettings.File(Path.of("x"))));

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private Handoff handoff;
  private PlanHandle plan;
  private JobContext step;

  @BeforeEach
  void start() {
    handoff =
        Handoff.on(actors.system())
            .store(home.store())
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofMillis(20))
            .handler("held", Json.class, held)
            .start();
    plan = handoff.plans().submitOrThrow(PlanRequest.of("p").step("a", JobRequest.of("held")));
    step = held.next().job();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  /// Calls each method with one null argument at a time, and valid values for the others.
  private static void refusesNull(Class<?> face, @Nullable Object on, String... only) {
    var methods =
        Stream.of(face.getMethods())
            .filter(method -> !OF_OBJECT.contains(method.getName()))
            .filter(method -> !method.isSynthetic())
            .filter(method -> only.length == 0 || List.of(only).contains(method.getName()))
            .filter(method -> on != null || Modifier.isStatic(method.getModifiers()))
            .toList();
    int asked = 0;
    for (var method : methods) {
      for (int i = 0; i < method.getParameterCount(); i++) {
        if (mustNotBeNull(method, i)) {
          asked++;
          refusesNull(method, on, i);
        }
      }
    }
    assertThat(asked).as("parameters of %s", face).isPositive();
  }

  private static boolean mustNotBeNull(Method method, int parameter) {
    return !method.getParameterTypes()[parameter].isPrimitive()
        && !method.getAnnotatedParameterTypes()[parameter].isAnnotationPresent(Nullable.class);
  }

  private static void refusesNull(Method method, @Nullable Object on, int parameter) {
    var arguments =
        Stream.of(method.getParameterTypes()).map(PlanNullsTest::sample).toArray(Object[]::new);
    arguments[parameter] = null;

    var thrown = catchThrowable(() -> method.invoke(on, arguments));

    assertThat(thrown).as("%s", method).isInstanceOf(InvocationTargetException.class);
    assertThat(thrown.getCause())
        .as("%s", method)
        .isInstanceOf(NullPointerException.class)
        .hasMessage(method.getParameters()[parameter].getName());
  }

  private static Object sample(Class<?> type) {
    var sample = type == Capture.Work.class ? work() : SAMPLES.get(type);
    assertThat(sample).as("a sample of %s: add one", type).isNotNull();
    return sample;
  }

  private static Capture.Work<String> work() {
    return (payload, job, directory) -> null;
  }

  @Test
  @DisplayName("a plan, which goes on")
  void aPlan() {
    refusesNull(PlanHandle.class, plan);

    assertThat(BoundedWaits.get(plan.startChangeset("still there", "me")))
        .isInstanceOf(ChangesetAnswer.Done.class);
  }

  @Test
  @DisplayName("an engine, which goes on")
  void anEngine() {
    refusesNull(Handoff.class, handoff, "submit", "submitOrThrow", "handle", "cancel", "retry");
    refusesNull(Handoff.class, handoff, "job", "jobs");
    refusesNull(JobHandle.class, handoff.handle(new JobId(ULID)), "cancel");

    assertThat(BoundedWaits.get(handoff.health()).ready()).isTrue();
  }

  @Test
  @DisplayName("an attempt")
  void anAttempt() {
    refusesNull(JobContext.class, step, "log", "progress", "later", "submit");
  }

  @Test
  @DisplayName("the plans of an engine")
  void thePlans() {
    refusesNull(PlanCommands.class, handoff.plans());
  }

  @Test
  @DisplayName("requests, changes and captures")
  void whatIsHandedOver() {
    refusesNull(PlanRequest.class, PlanRequest.of("p"));
    refusesNull(Change.class, null);
    refusesNull(Content.class, null);
    refusesNull(Capture.class, Capture.fromNothing());
  }

  @Test
  @DisplayName("a step")
  void aStep() {
    refusesNull(PlanChanges.class, step.changes());
    refusesNull(JobContext.class, step, "decide", "result", "workingCopy");
  }

  @Test
  @DisplayName("a reader of a store")
  void aReader() {
    handoff.close();

    try (var reader = HandoffReader.open(home.store())) {
      refusesNull(HandoffReader.class, reader);
    }
  }
}
