package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobContext;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.RetryRule;
import dev.handoff.StoreSettings;
import dev.handoff.Submission;
import dev.handoff.TypeOptions;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The options of a type")
class TypeOptionsTest {

  private static final JobRequest REQUEST = JobRequest.of("import");

  private final Handoff handoff =
      Handoff.builder()
          .store(new StoreSettings.Memory())
          .handler("import", Json.class, (payload, job) -> null, TypeOptionsTest::options)
          .handler("other", Json.class, (payload, job) -> null)
          .handler("parent", Json.class, (payload, job) -> child(job))
          .handler(
              "fail",
              Json.class,
              (payload, job) -> fail(),
              type -> type.backoff(Backoff.none()).retryIf(IOException.class::isInstance))
          .start();

  private static TypeOptions options(TypeOptions options) {
    return options
        .queue("imports")
        .priority(3)
        .maxAttempts(5)
        .timeout(Duration.ofMinutes(1))
        .heartbeatTimeout(Duration.ofSeconds(20))
        .label("team", "blue")
        .label("kind", "import");
  }

  private static String child(JobContext job) {
    var child = (Submission.Accepted) BoundedWaits.get(job.submit(REQUEST));
    return child.handle().id().value();
  }

  private static Object fail() {
    throw new IllegalStateException("no");
  }

  @AfterEach
  void stop() {
    handoff.close();
  }

  private JobInfo submitted(JobRequest request) {
    return BoundedWaits.get(handoff.submitOrThrow(request).ended());
  }

  private static void hasThemAll(JobInfo job) {
    assertThat(job.queue()).isEqualTo("imports");
    assertThat(job.priority()).isEqualTo(3);
    assertThat(job.maxAttempts()).isEqualTo(5);
    assertThat(job.timeout()).contains(Duration.ofMinutes(1));
    assertThat(job.heartbeatTimeout()).contains(Duration.ofSeconds(20));
    assertThat(job.labels()).containsEntry("team", "blue").containsEntry("kind", "import");
  }

  @Test
  void areThoseOfJobsThatDoNotSayOtherwise() {
    hasThemAll(submitted(REQUEST));
    assertThat(submitted(JobRequest.of("other")).maxAttempts()).isEqualTo(3);
  }

  @Test
  void giveWayToWhatARequestSays() {
    var job =
        submitted(
            REQUEST
                .queue("default")
                .priority(0)
                .maxAttempts(3)
                .timeout(Duration.ofHours(1))
                .label("team", "red"));

    assertThat(job.queue()).isEqualTo("default");
    assertThat(job.priority()).isZero();
    assertThat(job.maxAttempts()).isEqualTo(3);
    assertThat(job.timeout()).contains(Duration.ofHours(1));
    assertThat(job.heartbeatTimeout()).contains(Duration.ofSeconds(20));
    assertThat(job.labels()).containsEntry("team", "red").containsEntry("kind", "import");
  }

  @Test
  void holdForChildrenAndForSteps() {
    var parent = submitted(JobRequest.of("parent"));
    var plan = handoff.plans().submitOrThrow(PlanRequest.of("p").step("s", REQUEST));
    BoundedWaits.get(plan.result());

    var imports = JobFilter.ALL.type("import");
    var jobs = BoundedWaits.get(handoff.jobs(imports, Optional.empty(), 10)).jobs();
    assertThat(jobs).hasSize(2).allSatisfy(TypeOptionsTest::hasThemAll);
    assertThat(jobs).anyMatch(job -> job.parent().equals(Optional.of(parent.id())));
    assertThat(jobs).anyMatch(job -> job.step().equals(Optional.of("s")));
  }

  /// A million jobs then hold a single instance.
  @Test
  void areSharedByTheJobsThatSayNothing() {
    var usual = TypeDefaults.of(options(TypeOptions.NONE));
    var json = JsonFormat.standard();

    assertThat(JobSpecs.of(REQUEST, Instant.EPOCH, json, usual).options())
        .isSameAs(JobSpecs.of(JobRequest.of("import", 2), Instant.EPOCH, json, usual).options());
  }

  @Test
  void sayWhichFailuresAreTriedAgainUnlessTheRequestDoes() {
    assertThat(submitted(JobRequest.of("fail")).attempt()).isEqualTo(1);

    var own = RetryRule.only(IllegalStateException.class);
    assertThat(submitted(JobRequest.of("fail").retryIf(own)).attempt()).isEqualTo(3);
  }

  @Test
  void areCheckedWhenTheyAreGiven() {
    var builder = Handoff.builder();

    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(
            () -> builder.handler("a", Json.class, (p, job) -> p, type -> type.maxAttempts(0)))
        .withMessageContaining("maxAttempts must be 1 to 10000, was 0");
    assertThatIllegalStateException()
        .isThrownBy(() -> builder.defaults("nobody", type -> type))
        .withMessageContaining("type \"nobody\" has no handler yet");
  }

  @Test
  void canBeGivenToAHandlerThatIsThereAlready() {
    try (var other =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .handler("a", Json.class, (payload, job) -> payload, type -> type.maxAttempts(7))
            .defaults("a", type -> type.priority(2))
            .start()) {
      var job = BoundedWaits.get(other.submitOrThrow(JobRequest.of("a")).ended());

      assertThat(job.maxAttempts()).isEqualTo(7);
      assertThat(job.priority()).isEqualTo(2);
    }
  }
}
