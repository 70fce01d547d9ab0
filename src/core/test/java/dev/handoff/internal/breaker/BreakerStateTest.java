package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A breaker's state")
class BreakerStateTest {

  private final BreakerDriver breaker = new BreakerDriver("");

  private Duration openFor() {
    var open = (BreakerPhase.Open) breaker.state.term().phase();
    return Duration.between(breaker.now, open.until());
  }

  @Test
  void opensWithExactlyTheThirdFailureInARow() {
    breaker.failures(2);
    breaker.successes(1);
    breaker.failures(2);
    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);

    breaker.failures(1);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(breaker.acquire())
        .isEqualTo(new BreakerState.Denied(breaker.now.plusSeconds(30), "it is open"));
    assertThat(breaker.state.counts()).isEqualTo(new CallCounts(6, 1, 5, 0, 1, 0, 0, 0, 3));
  }

  @Test
  void triesOneCallAfterAWhileAndCloses() {
    breaker.becomeHalfOpen();
    assertThat(breaker.status()).isEqualTo(BreakerStatus.HALF_OPEN);

    var trial = breaker.permit();
    assertThat(trial.trial()).isTrue();
    assertThat(breaker.acquire())
        .isEqualTo(new BreakerState.Denied(breaker.now.plusSeconds(30), "it is being tried"));
    breaker.succeed(trial);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
    assertThat(breaker.permit().trial()).isFalse();
    assertThat(breaker.state.memory().changes())
        .extracting(BreakerChange::cause)
        .containsExactly("3 failures in a row", "its time is over", "the trial succeeded");
  }

  @Test
  void staysOpenTwiceAsLongAfterEachTrialThatFailsUpToABound() {
    breaker.failures(3);
    for (int seconds : List.of(30, 60, 120, 240, 300, 300)) {
      assertThat(openFor()).isEqualTo(Duration.ofSeconds(seconds));
      breaker.pass(Duration.ofSeconds(seconds));
      breaker.fail(breaker.permit());
    }
    breaker.pass(Duration.ofSeconds(300));
    breaker.succeed(breaker.permit());
    breaker.failures(3);

    assertThat(openFor()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void variesHowLongItIsOpen() {
    var random = new Random(1);
    var lengths =
        Stream.generate(() -> breaker.state.rule().opening().after(1, random))
            .limit(1_000)
            .toList();

    assertThat(lengths)
        .allMatch(length -> length.toMillis() >= 24_000 && length.toMillis() <= 36_000);
    assertThat(lengths.stream().distinct().count()).isGreaterThan(900);
    assertThat(breaker.state.rule().opening().after(9, random))
        .isLessThanOrEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void opensAgainWhenItsTrialGivesNoSign() {
    breaker.becomeHalfOpen();
    var hung = breaker.permit();

    breaker.pass(Duration.ofSeconds(30));

    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(openFor()).isEqualTo(Duration.ofSeconds(60));
    assertThat(breaker.succeed(hung)).isEqualTo(Breaker.Heard.REPEATED);
    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(breaker.state.counts()).isEqualTo(new CallCounts(4, 0, 4, 0, 0, 0, 0, 1, 4));
    assertThat(breaker.state.memory().errors().getLast().error().message())
        .isEqualTo("the trial gave no sign within 30s");
  }

  @Test
  void givesTheTrialToSomebodyElseWhenItIsReleased() {
    breaker.becomeHalfOpen();

    breaker.release(breaker.permit());

    assertThat(breaker.status()).isEqualTo(BreakerStatus.HALF_OPEN);
    assertThat(breaker.permit().trial()).isTrue();
    assertThat(breaker.state.counts().released()).isEqualTo(1);
  }

  @Test
  void isNotClosedUnderARunningTrialByASuccessFromBefore() {
    var before = breaker.permit();
    breaker.becomeHalfOpen();
    var trial = breaker.permit();

    assertThat(breaker.succeed(before)).isEqualTo(Breaker.Heard.LATE);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.HALF_OPEN);
    assertThat(breaker.acquire()).isInstanceOf(BreakerState.Denied.class);
    assertThat(breaker.state.counts().successes()).isEqualTo(1);
    assertThat(breaker.state.counts().late()).isEqualTo(1);
    assertThat(breaker.succeed(trial)).isEqualTo(Breaker.Heard.COUNTED);
    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void isNotOpenedByFailuresFromBeforeItWasReset() {
    var before = Stream.generate(breaker::permit).limit(3).toList();
    breaker.steer(Breaker.Order.RESET);

    before.forEach(permit -> assertThat(breaker.fail(permit)).isEqualTo(Breaker.Heard.LATE));

    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
    assertThat(breaker.state.counts()).isEqualTo(new CallCounts(3, 0, 3, 0, 0, 0, 0, 3, 0));
  }

  @Test
  void countsAPermitOnce() {
    var permit = breaker.permit();
    breaker.fail(permit);

    assertThat(breaker.fail(permit)).isEqualTo(Breaker.Heard.REPEATED);
    assertThat(breaker.succeed(permit)).isEqualTo(Breaker.Heard.REPEATED);
    assertThat(breaker.release(permit)).isEqualTo(Breaker.Heard.REPEATED);

    assertThat(breaker.state.counts()).isEqualTo(new CallCounts(1, 0, 1, 0, 0, 0, 0, 3, 1));
  }

  @Test
  void countsAReportThatBelongsToNoPermitAsLate() {
    assertThat(breaker.succeed(new BreakerState.Granted(0, 77, false)))
        .isEqualTo(Breaker.Heard.REPEATED);
    assertThat(breaker.state.counts().late()).isEqualTo(1);
  }

  @Test
  void takesPermitsForLostThatNobodyReports() {
    var lost = breaker.permit();
    breaker.pass(Duration.ofMinutes(61));

    assertThat(breaker.state.isIdle()).isTrue();
    assertThat(breaker.state.counts()).isEqualTo(new CallCounts(1, 0, 0, 0, 0, 0, 1, 0, 0));
    assertThat(breaker.succeed(lost)).isEqualTo(Breaker.Heard.REPEATED);
  }

  @Test
  void opensAgainWhenItsTrialIsLostBeforeItsDeadline() {
    var odd = new BreakerDriver("lost-after = 1s, trial-deadline = 10s");
    odd.becomeHalfOpen();
    odd.permit();
    odd.pass(Duration.ofSeconds(5));
    assertThat(odd.status()).isEqualTo(BreakerStatus.HALF_OPEN);

    odd.pass(Duration.ofSeconds(5));

    assertThat(odd.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(odd.state.counts()).isEqualTo(new CallCounts(4, 0, 3, 0, 0, 0, 1, 0, 4));
  }

  @Test
  void wantsAllOfSeveralTrialsToSucceed() {
    var careful = new BreakerDriver("trial-calls = 3");
    careful.becomeHalfOpen();
    var trials = Stream.generate(careful::permit).limit(3).toList();
    assertThat(careful.acquire()).isInstanceOf(BreakerState.Denied.class);

    careful.succeed(trials.get(0));
    careful.release(trials.get(1));
    careful.succeed(trials.get(2));
    assertThat(careful.status()).isEqualTo(BreakerStatus.HALF_OPEN);
    var last = careful.permit();
    assertThat(careful.acquire()).isInstanceOf(BreakerState.Denied.class);
    careful.succeed(last);

    assertThat(careful.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void opensAgainWithTheFirstOfSeveralTrialsThatFails() {
    var careful = new BreakerDriver("trial-calls = 3");
    careful.becomeHalfOpen();
    var trials = Stream.generate(careful::permit).limit(2).toList();

    careful.fail(trials.getFirst());

    assertThat(careful.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(careful.succeed(trials.getLast())).isEqualTo(Breaker.Heard.LATE);
  }

  @Test
  void opensByTheRateOfFailures() {
    var rated =
        new BreakerDriver("failure-threshold = 1000, failure-rate = 50, minimum-calls = 10");
    for (int i = 0; i < 4; i++) {
      rated.failures(1);
      rated.successes(1);
    }
    rated.successes(1);
    assertThat(rated.status()).isEqualTo(BreakerStatus.CLOSED);

    rated.failures(1);

    assertThat(rated.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(rated.state.memory().changes().getLast().cause())
        .isEqualTo("5 of the last 10 calls failed");
  }

  @Test
  void forgetsCallsThatAreOlderThanItsWindow() {
    var rated = new BreakerDriver("failure-threshold = 1000, failure-rate = 50, minimum-calls = 4");
    rated.failures(3);
    rated.pass(Duration.ofSeconds(61));

    rated.failures(3);
    assertThat(rated.status()).isEqualTo(BreakerStatus.CLOSED);
    rated.pass(Duration.ofSeconds(30));
    rated.failures(1);

    assertThat(rated.status()).isEqualTo(BreakerStatus.OPEN);
  }

  @Test
  void opensByTheRateOfSlowCallsAndIsNotClosedByASlowTrial() {
    var slow = new CallResult.Success(Duration.ofSeconds(6));
    var rated = new BreakerDriver("slow-rate = 50, minimum-calls = 2");
    rated.successes(1);

    rated.report(rated.permit(), slow);
    assertThat(rated.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(rated.state.memory().changes().getLast().cause())
        .isEqualTo("1 of the last 2 calls took longer than 5s");
    rated.pass(Duration.ofSeconds(30));
    rated.report(rated.permit(), slow);
    assertThat(rated.status()).isEqualTo(BreakerStatus.OPEN);
    rated.pass(Duration.ofSeconds(60));
    rated.successes(1);

    assertThat(rated.status()).isEqualTo(BreakerStatus.CLOSED);
    assertThat(rated.state.counts().slow()).isEqualTo(2);
  }

  @Test
  void countsSlowCallsAlsoIfThatOpensNothing() {
    breaker.report(breaker.permit(), new CallResult.Success(Duration.ofSeconds(6)));
    breaker.report(
        breaker.permit(), new CallResult.Failure(BreakerRules.ERROR, Duration.ofSeconds(6)));

    assertThat(breaker.state.counts().slow()).isEqualTo(2);
    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void letsNothingThroughWhileItIsForcedOpen() {
    breaker.steer(Breaker.Order.FORCE_OPEN);
    breaker.pass(Duration.ofDays(1));

    assertThat(breaker.acquire())
        .isEqualTo(new BreakerState.Denied(breaker.now.plusSeconds(30), "it was forced open"));
    breaker.steer(Breaker.Order.AUTOMATIC);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void letsEverythingThroughWhileItIsDisabledAndCounts() {
    breaker.steer(Breaker.Order.DISABLE);
    breaker.failures(10);
    breaker.successes(1);
    breaker.failures(4);
    breaker.release(breaker.permit());

    assertThat(breaker.status()).isEqualTo(BreakerStatus.DISABLED);
    assertThat(breaker.state.counts()).isEqualTo(new CallCounts(16, 1, 14, 0, 0, 1, 0, 0, 4));
    breaker.steer(Breaker.Order.AUTOMATIC);
    breaker.failures(2);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void doesNotStayOpenBecauseTheClockWasSetBack() {
    breaker.failures(3);
    breaker.pass(Duration.ofHours(-1));
    assertThat(breaker.status()).isEqualTo(BreakerStatus.HALF_OPEN);

    breaker.permit();
    breaker.pass(Duration.ofHours(-1));

    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);
  }

  /// Clocks are often set back by small amounts.
  @Test
  void takesNoTrialForLostBecauseTheClockWasSetBackALittle() {
    breaker.failures(3);
    breaker.pass(Duration.ofMillis(-5));
    assertThat(breaker.status()).isEqualTo(BreakerStatus.OPEN);
    breaker.pass(Duration.ofSeconds(31));
    var trial = breaker.permit();
    breaker.pass(Duration.ofMillis(-5));
    assertThat(breaker.status()).isEqualTo(BreakerStatus.HALF_OPEN);

    breaker.succeed(trial);

    assertThat(breaker.status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void keepsTheLastErrorsAndChangesOnly() {
    breaker.steer(Breaker.Order.DISABLE);
    for (int i = 0; i < 9; i++) {
      var large = new JobError("t", i + "x".repeat(4_000), "a stack");
      breaker.report(breaker.permit(), new CallResult.Failure(large, BreakerRules.TOOK));
      breaker.steer(Breaker.Order.RESET);
      breaker.steer(Breaker.Order.DISABLE);
    }

    var info = breaker.state.info();

    assertThat(info.lastErrors()).hasSize(5);
    assertThat(info.lastErrors().getLast().error().message()).startsWith("8xx").hasSize(500);
    assertThat(info.lastErrors().getLast().error().stack()).isEmpty();
    assertThat(info.changes()).hasSize(10);
  }

  @Test
  void tellsWhatItIs() {
    breaker.failures(2);
    breaker.pass(Duration.ofSeconds(5));
    breaker.permit();
    breaker.failures(1);

    var info = breaker.state.info();

    assertThat(info.name()).isEqualTo("search");
    assertThat(info.status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(info.status().label()).isEqualTo("open");
    assertThat(info.since()).isEqualTo(breaker.now);
    assertThat(info.retryAt()).isEqualTo(breaker.now.plusSeconds(30));
    assertThat(info.out()).isEqualTo(1);
    assertThat(breaker.state.due()).isEqualTo(info.retryAt());
  }

  @Test
  void givesNoMorePermitsThanItCanKeepInMind() {
    for (int i = 0; i < BreakerState.MOST_OUT; i++) {
      breaker.acquire();
    }

    assertThat(breaker.acquire())
        .isEqualTo(
            new BreakerState.Denied(breaker.now.plusSeconds(1), "100000 calls are under way"));
    breaker.succeed(breaker.permits.get(5_000));
    assertThat(breaker.acquire()).isInstanceOf(BreakerState.Granted.class);
    assertThat(breaker.state.permits().out()).isEqualTo(BreakerState.MOST_OUT);
  }

  /// The table covers every message in every state.
  @Test
  void isDocumentedAsItIs() throws IOException {
    assertThat(Files.readString(Path.of("docs", "breakers.md"))).contains(BreakerTable.of());
  }
}
