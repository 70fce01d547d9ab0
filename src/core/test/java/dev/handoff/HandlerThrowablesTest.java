package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Whatever its handlers throw, an engine")
class HandlerThrowablesTest {

  private static final int TIMES = 100;

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final ConcurrentLinkedQueue<String> down = new ConcurrentLinkedQueue<>();
  private final Handoff handoff = start();

  private Handoff start() {
    var builder =
        Handoff.on(actors.system())
            .store(new StoreSettings.Memory())
            .workers(16)
            .onDown(down::add)
            .handler("echo", Json.class, (payload, job) -> payload);
    broken().forEach((type, handler) -> builder.handler(type, Json.class, handler));
    return builder.start();
  }

  private static Map<String, JobHandler<Json>> broken() {
    var broken = new LinkedHashMap<String, JobHandler<Json>>();
    broken.put("exception", (payload, job) -> thrown(new IllegalStateException("no")));
    broken.put("checked", (payload, job) -> thrown(new java.io.IOException("no route")));
    broken.put("error", (payload, job) -> thrown(new AssertionError("no")));
    broken.put("throwable", (payload, job) -> thrown(new Throwable("bare")));
    broken.put("virtual-machine-error", (payload, job) -> thrown(new InternalError("no")));
    broken.put("stack-overflow", (payload, job) -> deeper(0));
    broken.put("linkage", (payload, job) -> thrown(new NoClassDefFoundError("gone/Away")));
    broken.put("initializer", (payload, job) -> Uninitialized.VALUE);
    broken.put("out-of-memory", (payload, job) -> new long[Integer.MAX_VALUE][1 << 20].length);
    broken.put("out-of-memory-said", (payload, job) -> thrown(new OutOfMemoryError("heap")));
    broken.put("null", (payload, job) -> thrown(null));
    broken.put("silent", (payload, job) -> thrown(new Silent()));
    broken.put("cyclic", (payload, job) -> thrown(cyclic()));
    broken.put("huge", (payload, job) -> thrown(new Exception("x".repeat(10 << 20))));
    broken.put("interrupted", (payload, job) -> thrown(new InterruptedException("me")));
    broken.put("result", (payload, job) -> new Object[] {new Silent()});
    broken.put("blocking", JobHandler.blocking((payload, job) -> thrown(new Error("platform"))));
    return broken;
  }

  @AfterEach
  void close() {
    handoff.close();
  }

  @Test
  void failsTheirAttemptsAndNothingElse() {
    var failing = new ArrayList<JobHandle>();
    var healthy = new ArrayList<JobHandle>();
    for (int i = 0; i < TIMES; i++) {
      broken().keySet().forEach(type -> failing.add(submit(type)));
      healthy.add(submit("echo"));
    }

    assertThat(failing).hasSize(TIMES * broken().size()).allSatisfy(this::hasFailed);
    assertThat(healthy)
        .allSatisfy(job -> assertThat(end(job)).isInstanceOf(Outcome.Succeeded.class));
    assertThat(down).isEmpty();
    assertThat(BoundedWaits.get(handoff.health()).problems()).isEmpty();
    assertThat(end(submit("echo"))).isInstanceOf(Outcome.Succeeded.class);
  }

  private JobHandle submit(String type) {
    return handoff.submitOrThrow(JobRequest.of(type, List.of(1)).maxAttempts(1));
  }

  private static Outcome end(JobHandle job) {
    return BoundedWaits.get(job.result());
  }

  private void hasFailed(JobHandle job) {
    var outcome = end(job);
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    var error = ((Outcome.Failed) outcome).error();
    assertThat(error.type()).isNotBlank();
    assertThat(error.message().length()).isLessThanOrEqualTo(4 * 1024);
    assertThat(error.stack().length()).isLessThanOrEqualTo(16 * 1024);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> Object thrown(Throwable what) throws T {
    throw (T) what;
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + depth;
  }

  private static Throwable cyclic() {
    var first = new Exception("first");
    var second = new Exception("second", first);
    first.initCause(second);
    return first;
  }

  /// Class whose initialization fails.
  private static final class Uninitialized {
    static final Object VALUE = Map.of("a", 1, "a", 2);
  }

  /// Exception without a message: `getMessage` throws.
  private static final class Silent extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("do not ask");
    }
  }
}
