package dev.handoff.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.NonRetryableException;
import dev.handoff.Outcome;
import dev.handoff.StoreSettings;
import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The chapter about Java")
class JavaExamplesTest {

  @Test
  void hasAParentThatSucceedsWithAFailedChildAndFindsItsChildrenAgain() {
    var exported = new CopyOnWriteArrayList<String>();
    var builder =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .handler(
                "site",
                Json.class,
                (none, job) -> {
                  int done = JavaExamples.exportAll(List.of("home", "news"), job);
                  if (job.attempt() == 1) {
                    throw new IllegalStateException("the first attempt fails");
                  }
                  return done;
                })
            .handler(
                "export",
                String.class,
                (page, job) -> {
                  exported.add(page);
                  if (page.equals("news")) {
                    throw new NonRetryableException("no news");
                  }
                  return page;
                });
    try (var handoff = builder.start()) {
      var request = JobRequest.of("site").backoff(Backoff.fixed(Duration.ofMillis(1)));
      var site = handoff.submitOrThrow(request);

      assertThat(BoundedWaits.get(site.result())).isEqualTo(new Outcome.Succeeded(Json.of("1")));

      assertThat(exported).containsExactlyInAnyOrder("home", "news");
      assertThat(BoundedWaits.get(site.status()).children()).hasSize(2);
    }
  }

  @Test
  void hasAPaymentThatASecondAttemptDoesNotRepeat() {
    var bank = new LosingBank();
    var builder =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .handler("pay", String.class, (bill, job) -> JavaExamples.pay(bill, bank, job));
    try (var handoff = builder.start()) {
      var request = JobRequest.of("pay", "bill").backoff(Backoff.none());

      var outcome = BoundedWaits.get(handoff.submitOrThrow(request).result());

      assertThat(outcome)
          .isEqualTo(new Outcome.Succeeded(Json.of("\"paid by an earlier attempt\"")));
      assertThat(bank.paid).hasSize(1);
    }
  }

  @Test
  void hasABackoffThatGrows() {
    var builder =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .handler(
                "report",
                String.class,
                (url, job) -> {
                  throw new IllegalStateException("no report yet");
                });
    try (var handoff = builder.start()) {
      var job = handoff.submitOrThrow(JavaExamples.gentle("https://example.com"));
      BoundedWaits.until(
          "its first attempt has failed",
          () -> !BoundedWaits.get(job.status()).attempts().isEmpty());

      var info = BoundedWaits.get(job.status());

      var failed = info.attempts().getFirst().endedAt();
      assertThat(Duration.between(failed, info.nextRunAt().orElseThrow()))
          .isBetween(Duration.ofMillis(1_600), Duration.ofMillis(2_400));
    }
  }

  /// A bank whose answer to the first payment gets lost.
  private static final class LosingBank implements JavaExamples.Bank {
    private final List<String> paid = new CopyOnWriteArrayList<>();

    @Override
    public boolean hasPaid(String key) {
      return paid.contains(key);
    }

    @Override
    public void pay(String invoice, String key) {
      paid.add(key);
      throw new IllegalStateException("no answer");
    }
  }
}
