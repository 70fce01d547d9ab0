package dev.handoff.internal.dispatch;

import static dev.handoff.internal.dispatch.LoneDispatcher.FREE;
import static dev.handoff.internal.dispatch.LoneDispatcher.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What dispatch goes by")
class DispatchSettingsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1ms, 2ms, 0ms, 1s, 1s,",
    "100000, 10000, 1s, 2s, 1s, 1s, 1s,",
    "-1, 1, 1s, 2s, 1s, 1s, 1s, handoff.workers must be 0 to 100000",
    "100001, 1, 1s, 2s, 1s, 1s, 1s, handoff.workers must be 0 to 100000",
    "1, 0, 1s, 2s, 1s, 1s, 1s, handoff.blocking-threads must be 1 to 10000",
    "1, 10001, 1s, 2s, 1s, 1s, 1s, handoff.blocking-threads must be 1 to 10000",
    "1, 1, 0ms, 2s, 1s, 1s, 1s, handoff.dispatch.heartbeat must be at least 1ms",
    "1, 1, 1s, 0ms, 1s, 1s, 1s, handoff.dispatch.lease must be at least 1ms",
    "1, 1, 1s, 1999ms, 1s, 1s, 1s, handoff.dispatch.lease must be at least two heartbeats",
    "1, 1, 1s, 2s, 1s, 1s, 999ms, handoff.cancel.abandon must be at least",
  })
  void isCheckedWhenItIsRead(
      int workers,
      int blocking,
      String heartbeat,
      String lease,
      String margin,
      String grace,
      String abandon,
      String reason) {
    var config =
        ConfigFactory.parseString(
            """
            workers = %d, blocking-threads = %d, shutdown-grace = 7s
            dispatch { heartbeat = %s, lease = %s, margin = %s }
            cancel { grace = %s, abandon = %s }
            """
                .formatted(workers, blocking, heartbeat, lease, margin, grace, abandon));
    if (reason == null) {
      assertThat(DispatchSettings.from(config).shutdownGrace()).isEqualTo(Duration.ofSeconds(7));
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DispatchSettings.from(config))
          .withMessageStartingWith(reason);
    }
  }

  private static DispatchSettings settings(int workers, int blocking, int lease, int margin) {
    var second = Duration.ofSeconds(1);
    return new DispatchSettings(
        workers,
        blocking,
        second,
        Duration.ofMillis(lease),
        Duration.ofMillis(margin),
        second,
        second,
        second);
  }

  @Test
  void isAsManyBlockingThreadsAsThereMayBe() {
    assertThat(settings(9, 4, 2_000, 0).forBlocking().workers()).isEqualTo(4);
    assertThat(settings(3, 4, 2_000, 0).forBlocking().workers()).isEqualTo(3);
  }

  @Test
  void isPatienceInWholeHeartbeats() {
    assertThat(settings(1, 1, 2_000, 0).patience()).isEqualTo(2);
    assertThat(settings(1, 1, 2_000, 1).patience()).isEqualTo(3);
    assertThat(settings(1, 1, 2_001, 999).patience()).isEqualTo(3);
  }

  @Test
  void isTheQueuesThatThereAre() {
    var known = new TreeSet<>(List.of("mail", "images"));
    var strict = new QueueNames(true, known);

    assertThat(strict.missing("mail")).isEmpty();
    assertThat(strict.missing("imges"))
        .hasValue("queue \"imges\" does not exist; known: images, mail");
    assertThat(new QueueNames(false, known).missing("imges")).isEmpty();
    assertThat(new QueueNames(false, new TreeSet<>()).missing("any")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueueNames(true, new TreeSet<>()))
        .withMessageContaining("handoff.queues.known is empty");
    var config = ConfigFactory.parseString("queues { strict = true, known = [a] }");
    assertThat(QueueNames.from(config))
        .isEqualTo(new QueueNames(true, new TreeSet<>(List.of("a"))));
  }

  @Test
  void isTheRuleOfTheirQueue() {
    var rule = new QueueRule(true, 3);
    var one = QueuesState.NONE.apply(new QueueFact.RuleSet(FREE, rule, NOW));

    assertThat(one).isEqualTo(new QueuesState(1, Map.of(FREE, rule)));
    assertThat(one.rule(FREE)).isEqualTo(rule);
    assertThat(one.rule("other")).isEqualTo(QueueRule.NONE);
    assertThat(one.ended()).isFalse();
    assertThat(one.id()).isSameAs(QueuesState.ID);
    assertThat(QueuesState.ID.partition()).isZero();
    assertThat(one.apply(new QueueFact.RuleSet(FREE, QueueRule.NONE, NOW)))
        .isEqualTo(new QueuesState(2, Map.of()));
  }
}
