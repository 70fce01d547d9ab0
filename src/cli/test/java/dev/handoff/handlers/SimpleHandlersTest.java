package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.CancelledException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The handlers to try things out with")
class SimpleHandlersTest {

  private final SleepHandler sleep = new SleepHandler();
  private final FailHandler fail = new FailHandler();

  @Test
  void sleepForSoManyMilliseconds() throws Exception {
    var job = FakeJob.first();
    long since = System.nanoTime();

    var result = sleep.handle(new SleepHandler.Request(250L, null), job);

    assertThat(Duration.ofNanos(System.nanoTime() - since))
        .isGreaterThanOrEqualTo(Duration.ofMillis(250));
    assertThat(result).isEqualTo(Map.of("sleptMs", 250L));
    assertThat(job.progress).isSorted().endsWith(1.0);
  }

  @Test
  void sleepForADuration() throws Exception {
    assertThat(sleep.handle(new SleepHandler.Request(null, "5ms"), FakeJob.first()))
        .isEqualTo(Map.of("sleptMs", 5L));
    assertThat(sleep.handle(new SleepHandler.Request(null, "PT0S"), FakeJob.first()))
        .isEqualTo(Map.of("sleptMs", 0L));
  }

  @Test
  void wakeAtOnceWhenCancelled() throws Exception {
    var job = FakeJob.first();
    var running = RunningHandler.start(sleep, new SleepHandler.Request(60_000L, null), job);

    job.cancel();

    assertThat(running.failure()).isInstanceOf(CancelledException.class);
  }

  @Test
  void refuseASleepThatIsNone() {
    assertThatThrownBy(() -> sleep.handle(null, FakeJob.first()))
        .hasMessageContaining("either ms or duration");
    assertThatThrownBy(() -> sleep.handle(new SleepHandler.Request(1L, "1s"), FakeJob.first()))
        .hasMessageContaining("either ms or duration");
    assertThatThrownBy(() -> sleep.handle(new SleepHandler.Request(-1L, null), FakeJob.first()))
        .hasMessageContaining("was -1");
    assertThatThrownBy(
            () -> sleep.handle(new SleepHandler.Request(Long.MAX_VALUE, null), FakeJob.first()))
        .hasMessageContaining("ms must be");
    assertThatThrownBy(() -> sleep.handle(new SleepHandler.Request(null, "soon"), FakeJob.first()))
        .hasMessageContaining("\"soon\" is not a duration");
  }

  @Test
  void failSoManyTimesAndThenSucceed() throws Exception {
    var twice = new FailHandler.Request("out of paper", 2);

    assertThatThrownBy(() -> fail.handle(twice, FakeJob.attempt(1)))
        .hasMessage("out of paper")
        .hasNoCause();
    assertThatThrownBy(() -> fail.handle(twice, FakeJob.attempt(2))).hasMessage("out of paper");
    assertThat(fail.handle(twice, FakeJob.attempt(3))).isEqualTo(Map.of("attempt", 3));
  }

  @Test
  void failForEverUnlessToldHowOften() {
    assertThatThrownBy(() -> fail.handle(null, FakeJob.attempt(99)))
        .hasMessage("failed, as it was asked to");
    assertThatThrownBy(() -> fail.handle(new FailHandler.Request(null, null), FakeJob.attempt(99)))
        .hasMessage("failed, as it was asked to");
  }

  @Test
  void leaveNoStackTraceBehindThatWouldTellNothing() {
    assertThatThrownBy(() -> fail.handle(null, FakeJob.first()))
        .satisfies(failure -> assertThat(failure.getStackTrace()).isEmpty());
  }

  @Test
  void areSwitchedOnOneByOne() {
    var safe = BuiltInHandlers.Settings.SAFE;

    assertThat(BuiltInHandlers.with(safe).types()).containsExactly("echo", "fail", "noop", "sleep");
    assertThat(BuiltInHandlers.with(safe.withExec()).types())
        .contains("exec")
        .doesNotContain("http");
    assertThat(BuiltInHandlers.with(safe.withHttp(Set.of("example.org"), false)).types())
        .contains("http");
  }

  @Test
  void haveARoomForProgramsThatMakesSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BuiltInHandlers.Settings(true, 0, Set.of(), false))
        .withMessageContaining("max-processes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BuiltInHandlers.Settings(true, 10_001, Set.of(), false));
  }
}
