package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The values of a job")
class JobValuesTest {

  @Test
  void haveAnIdThatIsChecked() {
    assertThat(JobSituations.ID).hasToString(JobSituations.ID.value());
    assertThat(JobSituations.ID.partition()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JobId("x\u202Ey"))
        .withMessage(
            "\"x\\u202ey\" is not a job id: an id has 26 characters of 0-9 and A-Z without I, L, O,"
                + " U");
    assertThatIllegalArgumentException().isThrownBy(() -> new JobId(null));
  }

  @Test
  void haveStatusesWithNames() {
    assertThat(JobStatus.parse("queued")).isEqualTo(JobStatus.QUEUED);
    assertThat(JobStatus.SUCCEEDED.isTerminal()).isTrue();
    assertThat(JobStatus.FAILED.isTerminal()).isTrue();
    assertThat(JobStatus.CANCELLED.isTerminal()).isTrue();
    assertThat(JobStatus.CANCELLING.isTerminal()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobStatus.parse("done"))
        .withMessageContaining("status \"done\" does not exist; known: waiting, scheduled");
  }

  @Test
  void nameEveryStatusInTheirRefusals() {
    for (var status : JobStatus.values()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JobStatus.parse("?"))
          .withMessageContaining(status.label());
    }
  }

  @Test
  void haveCausesWithNames() {
    assertThat(EndCause.WORKER_LOST.label()).isEqualTo("worker-lost");
  }

  @Test
  void haveProgressBetweenNothingAndAll() {
    assertThat(new Progress(-1, "").fraction()).isZero();
    assertThat(new Progress(7, "").fraction()).isEqualTo(1);
    assertThat(new Progress(Double.NaN, null)).isEqualTo(new Progress(0, ""));
  }

  @Test
  void haveNotesThatAreCut() {
    var notes = new AttemptNotes(Collections.nCopies(150, "x".repeat(5_000) + "\0"), null);

    assertThat(notes.log()).hasSize(100).allMatch(line -> line.length() == 1_024);
    assertThat(new AttemptNotes(null, null)).isEqualTo(AttemptNotes.NONE);
    assertThat(new AttemptNotes(List.of("a\0"), null).log()).containsExactly("a\uFFFD");
  }

  @Test
  void haveJsonThatIsComparedByItsBytes() {
    var one = Json.of("{\"a\":1}");

    assertThat(one).isEqualTo(Json.of("{\"a\":1}")).hasSameHashCodeAs(Json.of("{\"a\":1}"));
    assertThat(one).isNotEqualTo(Json.of("{}")).isNotEqualTo("{\"a\":1}");
    assertThat(one.hashCode()).isNotEqualTo(Json.of("{}").hashCode());
    assertThat(one.size()).isEqualTo(7);
    assertThat(one).hasToString("{\"a\":1}");
  }

  @Test
  void haveRequestsThatCanBeStored() {
    var request = new JobPhase.CancelRequest("a\0b", null, JobSituations.NOW);

    assertThat(request.reason()).isEqualTo("a\uFFFDb");
    assertThat(request.by()).isEmpty();
    assertThat(new JobFact.Reopened(JobSituations.failed(), "a\0", JobSituations.NOW).by())
        .isEqualTo("a\uFFFD");
  }

  @Test
  void haveSettingsThatAreChecked() {
    var second = Duration.ofSeconds(1);
    var zero = Duration.ZERO;

    refused(() -> new JobSettings(0, second, second, second), "handoff.jobs.stash");
    refused(() -> new JobSettings(1, zero, second, second), "handoff.cancel.repeat");
    refused(() -> new JobSettings(1, second, zero, second), "handoff.cancel.abandon");
    refused(() -> new JobSettings(1, second, second, zero), "handoff.cancel.report");
  }

  @Test
  void haveSettingsInTheReferenceConfiguration() {
    var settings =
        JobSettings.from(ConfigFactory.parseResources("reference.conf").getConfig("handoff"));

    assertThat(settings)
        .isEqualTo(
            new JobSettings(
                1_000, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(5)));
  }

  private static void refused(Runnable made, String key) {
    assertThatIllegalArgumentException().isThrownBy(made::run).withMessageContaining(key);
  }
}
