package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.breaker.BreakerStatus;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Covers lines whose mutations other tests do not detect.
@DisplayName("At its edges a breaker")
class BreakerEdgesTest {

  private static final CallResult SLOW = new CallResult.Success(Duration.ofSeconds(6));

  private final BreakerDriver breaker = new BreakerDriver("");

  @Test
  void isClosedByASlowTrialUnlessSlownessMatters() {
    breaker.becomeHalfOpen();

    breaker.report(breaker.permit(), SLOW);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void staysOpenTwiceAsLongAfterASlowTrial() {
    var rated = new BreakerDriver("slow-rate = 50");
    rated.becomeHalfOpen();

    rated.report(rated.permit(), SLOW);

    assertThat(rated.state.due()).isEqualTo(rated.now.plusSeconds(60));
  }

  @Test
  void staysOpenTwiceAsLongAfterATrialThatGaveNoSign() {
    breaker.becomeHalfOpen();
    breaker.permit();

    breaker.pass(Duration.ofSeconds(30));

    assertThat(breaker.state.due()).isEqualTo(breaker.now.plusSeconds(60));
  }

  @Test
  void beginsANewGenerationWithEachChange() {
    var generations = new ArrayList<Long>();
    generations.add(breaker.state.term().generation());
    breaker.becomeHalfOpen();
    breaker.succeed(breaker.permit());
    breaker.state.memory().changes().forEach(change -> generations.add(change.generation()));

    assertThat(generations).containsExactly(0L, 1L, 2L, 3L);
    assertThat(breaker.state.term().generation()).isEqualTo(3);
  }

  @Test
  void changesByTimeAloneWhenATrialIsLateOrItsTimeIsOver() {
    assertThat(breaker.state.due()).isNull();
    breaker.becomeHalfOpen();
    assertThat(breaker.state.due()).isNull();

    breaker.permit();

    assertThat(breaker.state.due()).isEqualTo(breaker.now.plusSeconds(30));
    breaker.steer(Breaker.Order.DISABLE);
    assertThat(breaker.state.due()).isNull();
    breaker.steer(Breaker.Order.FORCE_OPEN);
    assertThat(breaker.state.due()).isNull();
  }

  @Test
  void isIdleWhileItIsClosedAndNoPermitIsOut() {
    assertThat(breaker.state.isIdle()).isTrue();
    var permit = breaker.permit();
    assertThat(breaker.state.isIdle()).isFalse();
    breaker.release(permit);
    assertThat(breaker.state.isIdle()).isTrue();

    breaker.failures(3);

    assertThat(breaker.state.isIdle()).isFalse();
  }

  @Test
  void isOverItsTimeWhenTheClockIsSetBackByMoreThanThat() {
    breaker.failures(3);
    breaker.pass(Duration.ofSeconds(-30));
    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);

    breaker.pass(Duration.ofMillis(-1));

    assertThat(breaker.status()).isEqualTo(BreakerStatus.HALF_OPEN);
  }

  @Test
  void tellsWhenToTryAgainOnlyWhileItIsOpen() {
    assertThat(breaker.state.info().retryAt()).isNull();
    breaker.failures(3);
    assertThat(breaker.state.info().retryAt()).isEqualTo(breaker.now.plusSeconds(30));
  }

  @Test
  void beginsANewGenerationAlsoWhenItIsResetWhileItIsClosed() {
    var before = breaker.state.term();
    breaker.pass(Duration.ofSeconds(5));

    breaker.steer(Breaker.Order.RESET);

    assertThat(breaker.state.term().generation()).isEqualTo(before.generation() + 1);
    assertThat(breaker.state.term().since()).isEqualTo(before.since());
    assertThat(breaker.state.memory().changes()).isEmpty();
  }

  @Test
  void isNotAutomaticAgainIfItNeverWasSteered() {
    breaker.failures(3);

    breaker.steer(Breaker.Order.AUTOMATIC);
    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);
    breaker.steer(Breaker.Order.RESET);
    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
    assertThat(breaker.state.counts().consecutive()).isZero();
  }
}
