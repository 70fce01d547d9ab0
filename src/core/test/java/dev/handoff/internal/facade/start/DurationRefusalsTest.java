package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import dev.handoff.internal.breaker.BreakerRule;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A refusal of a duration")
class DurationRefusalsTest {

  private static final Config REFERENCE = ConfigFactory.parseResources("reference.conf").resolve();

  /// Other formats of durations: `PT10S`, `P1D`, `10 s`, `80 days`.
  private static final Pattern NOT_OURS =
      Pattern.compile("\\bPT?-?\\d|\\d (ms|s|m|h|d|day|days|seconds)\\b");

  private static final List<String> WRONG = List.of("-90m", "0s", "1ns", "40000d");

  private static final Map<String, String> SHOWN =
      Map.of("-90m", "-1h30m", "0s", "0s", "1ns", "0.000001ms", "40000d", "40000d");

  @Test
  void saysItOfEveryKeyOfTheConfigurationAsItCanBeWritten() {
    var keys = durations();
    int refused = 0;
    for (var key : keys) {
      for (var wrong : WRONG) {
        var refusal = refusal(key, wrong);
        if (refusal.isPresent()) {
          refused++;
          assertThat(refusal.get())
              .contains(SHOWN.get(wrong))
              .doesNotContainPattern(NOT_OURS)
              .startsWith("handoff.");
        }
      }
      assertThat(refusal(key, "-90m")).as(key).isPresent();
    }
    assertThat(keys).hasSizeGreaterThan(20);
    assertThat(refused).isGreaterThan(2 * keys.size());
  }

  /// Refusals that concern two settings.
  @Test
  void saysItOfBoth() {
    assertThat(refusal("dispatch.lease", "3s")).get().asString().contains("(2s), was 3s");
    assertThat(refusal("cancel.abandon", "9s")).get().asString().contains("(10s), was 9s");
    assertThat(refusal("breakers.default.open-for-most", "1s"))
        .get()
        .asString()
        .contains(", was 1s")
        .doesNotContainPattern(NOT_OURS);
  }

  @Test
  void saysItOfRequestsAsItCanBeWritten() {
    var wrong = Duration.ofMinutes(-90);
    var said = new TreeMap<String, String>();
    try (var handoff =
        Handoff.builder()
            .store(new dev.handoff.StoreSettings.Memory())
            .handler("x", Object.class, (payload, job) -> payload)
            .handler(
                "later",
                Object.class,
                (payload, job) -> {
                  job.later(wrong);
                  return null;
                })
            .handler(
                "slow",
                Object.class,
                (payload, job) -> {
                  var stopped = new CountDownLatch(1);
                  job.cancellation().onCancel(why -> stopped.countDown());
                  stopped.await();
                  return null;
                })
            .start()) {
      note(said, "delay", () -> handoff.submitOrThrow(JobRequest.of("x").delay(wrong)));
      note(said, "timeout", () -> handoff.submitOrThrow(JobRequest.of("x").timeout(wrong)));
      note(
          said,
          "deadline",
          () ->
              handoff
                  .plans()
                  .submitOrThrow(
                      PlanRequest.of("p").deadline(wrong).step("a", JobRequest.of("x"))));
      note(said, "later", () -> failed(handoff, JobRequest.of("later")));
      note(
          said,
          "limit",
          () -> failed(handoff, JobRequest.of("slow").timeout(Duration.ofMillis(1_500))));
    }
    note(said, "backoff", () -> Backoff.fixed(wrong));
    note(said, "rule", () -> new BreakerRule.Opening(wrong, wrong));

    assertThat(said).hasSize(7);
    assertThat(said.get("limit")).contains("its timeout of 1.5s");
    said.remove("limit");
    said.forEach(
        (what, words) ->
            assertThat(words).as(what).contains("-1h30m").doesNotContainPattern(NOT_OURS));
  }

  private static void failed(Handoff handoff, JobRequest request) {
    var outcome = BoundedWaits.get(handoff.submitOrThrow(request.maxAttempts(1)).result());
    throw new IllegalStateException(((Outcome.Failed) outcome).error().message());
  }

  private static void note(Map<String, String> said, String what, Runnable refused) {
    try {
      refused.run();
    } catch (RuntimeException refusal) {
      said.put(what, refusal.getMessage());
    }
  }

  private static Optional<String> refusal(String key, String value) {
    var config =
        REFERENCE
            .withValue("handoff." + key, ConfigValueFactory.fromAnyRef(value))
            .withValue("handoff.store.kind", ConfigValueFactory.fromAnyRef("postgres"));
    try {
      HandoffConfiguration.read(config);
      return Optional.empty();
    } catch (IllegalArgumentException refusal) {
      return Optional.of(refusal.getMessage());
    }
  }

  private static List<String> durations() {
    var keys = new ArrayList<String>();
    REFERENCE
        .getConfig("handoff")
        .entrySet()
        .forEach(
            entry -> {
              if (String.valueOf(entry.getValue().unwrapped()).matches("\\d+(ms|s|m|h|d)")) {
                keys.add(entry.getKey());
              }
            });
    return keys;
  }
}
