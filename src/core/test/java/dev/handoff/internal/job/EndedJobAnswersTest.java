package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job without an actor")
class EndedJobAnswersTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final TestProbe<WireMessage> caller = actors.probe(WireMessage.class);
  private final TestProbe<SubmitReply> submitter = actors.probe(SubmitReply.class);
  private final TestProbe<WorkerOrder> worker = actors.probe(WorkerOrder.class);
  private final JobState ended = JobSituations.failed();

  private List<Job.Command> asked() {
    return List.of(
        new Job.Do(JobSituations.cancel(), caller.ref().narrow()),
        new Job.AddChild(1, JobHarness.child(), caller.ref().narrow()),
        new Job.Get(caller.ref().narrow()),
        new Job.Watch(caller.ref().narrow()));
  }

  private List<Job.Command> unasked() {
    return List.of(
        new Job.Claim(new WorkerCredit(new PoolId("p"), 1, "w", worker.ref())),
        new Job.RunAgain(1),
        Job.Retire.INSTANCE);
  }

  private void tell(Job.Command message) {
    EndedJobAnswers.answer(message, ended, NOW, new Random(1));
  }

  @Test
  void isAnsweredForFromHistory() {
    asked().forEach(this::tell);

    caller.expectMessage(new JobReply.AlreadyFinished(ended));
    caller.expectMessage(new ChildReply.Declined(ID, CommandVerdict.ALREADY_FINISHED, List.of()));
    caller.expectMessage(new StateReply.Found(ended));
    caller.expectMessage(new WatchReply.Ended(ended));
  }

  @Test
  void isComparedWithASubmissionOfItsKey() {
    tell(new Job.SameKey(ended.spec(), submitter.ref()));
    tell(new Job.SameKey(JobSituations.spec(), submitter.ref()));

    submitter.expectMessage(new SubmitReply.Existing(ID));
    submitter.expectMessage(new SubmitReply.KeyConflict(ID, "null"));
  }

  @Test
  void recordsAReportOnceMoreThatItHadRecorded() {
    tell(
        new Job.UpdateAttempt(
            report(1, new AttemptReport.Threw(JobSituations.ERROR)), caller.ref().narrow()));
    tell(
        new Job.UpdateAttempt(
            report(1, new AttemptReport.Returned(RESULT)), caller.ref().narrow()));

    caller.expectMessage(new ReportReply.Recorded(ID, 1));
    caller.expectMessage(new ReportReply.Fenced(ID, 1, 1));
  }

  @Test
  void isSaidNotToExistWhenItDoesNot() {
    asked().forEach(message -> EndedJobAnswers.notFound(message, ID));
    EndedJobAnswers.notFound(new Job.SameKey(JobSituations.spec(), submitter.ref()), ID);

    caller.expectMessage(new JobReply.NotFound(ID));
    caller.expectMessage(new ChildReply.Declined(ID, CommandVerdict.FENCED, List.of()));
    caller.expectMessage(new StateReply.NotFound(ID));
    caller.expectMessage(new WatchReply.NotFound(ID));
    EndedJobAnswers.notFound(
        new Job.UpdateAttempt(new JobCommand.Started(2), caller.ref().narrow()), ID);
    caller.expectMessage(new ReportReply.Fenced(ID, 2, 0));
    submitter.expectMessage(
        new SubmitReply.Unavailable(
            "the job " + ID + " with this key was not accepted", Duration.ofMillis(100)));
  }

  @Test
  void isUnavailableWhileHistoryIs() {
    var soon = Duration.ofSeconds(3);
    asked().forEach(message -> EndedJobAnswers.unavailable(message, ID, "away", soon));
    EndedJobAnswers.unavailable(
        new Job.SameKey(JobSituations.spec(), submitter.ref()), ID, "away", soon);

    caller.expectMessage(new JobReply.Unavailable(ID, "away", soon));
    caller.expectMessage(new ChildReply.Unavailable(ID, "away", soon));
    caller.expectMessage(new StateReply.Unavailable(ID, "away", soon));
    caller.expectMessage(new WatchReply.Unavailable(ID, "away", soon));
    submitter.expectMessage(new SubmitReply.Unavailable("away", soon));
  }

  @Test
  void saysNothingToWhatExpectsNoAnswer() {
    unasked().forEach(this::tell);
    unasked().forEach(message -> EndedJobAnswers.notFound(message, ID));

    worker.expectNoMessage(Duration.ofMillis(10));
    caller.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void standsInHistoryWithWhatListsNeed() throws IOException {
    var codec = StoredSamples.codec();
    var full = StoredSamples.full();

    var row = JobArchive.row(full, codec);

    assertThat(row.id()).isEqualTo(ID.value());
    assertThat(row.kind()).isEqualTo("job");
    assertThat(row.status()).isEqualTo("cancelled");
    assertThat(row.queue()).isEqualTo("images");
    assertThat(row.labels()).isEqualTo("|team=blue|");
    assertThat(row.attempt()).isEqualTo(3);
    assertThat(row.finishedAt()).isEqualTo(NOW);
    assertThat(row.key()).isNull();
    assertThat(row.fingerprint()).isNull();
    assertThat(JobArchive.read(row, codec)).isEqualTo(full);
  }

  @Test
  void hasItsKeyAndItsLabelsInHistoryInOrder() {
    var options = new JobOptions(null, null, 1, Backoff.none(), Map.of("b", "2", "a", "1"));
    var spec = new JobSpec("mail", Json.NULL, "out", 0, "k", null, options, null);
    var failed =
        JobSituations.after(
            JobSituations.submitted(spec),
            JobSituations.claim(),
            report(1, new AttemptReport.Threw(JobSituations.ERROR)));

    var row = JobArchive.row(failed, StoredSamples.codec());

    assertThat(row.key()).isEqualTo("k");
    assertThat(row.labels()).isEqualTo("|a=1|b=2|");
    assertThat(row.plan()).isNull();
    assertThat(row.fingerprint()).isEqualTo(ContentFingerprint.of(spec));
    assertThat(JobArchive.key(failed))
        .isEqualTo(new KeptKey("k", ID.value(), ContentFingerprint.of(spec), NOW));
  }

  @Test
  void isNamedInEveryReply() {
    assertThat(new JobReply.Done(ended).job()).isEqualTo(ID);
    assertThat(new JobReply.Declined(ended, "").job()).isEqualTo(ID);
    assertThat(new JobReply.AlreadyFinished(ended).job()).isEqualTo(ID);
  }

  @Test
  void isNotReadWhenItsBytesAreNotWhatTheyWere() throws Exception {
    var row = JobArchive.row(JobSituations.succeeded(), StoredSamples.codec());
    assertThat(JobArchive.read(row, StoredSamples.codec())).isEqualTo(JobSituations.succeeded());

    for (int at = 0; at < row.state().length; at++) {
      row.state()[at] ^= 1;
      assertThatThrownBy(() -> JobArchive.read(row, StoredSamples.codec()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("checksum");
      row.state()[at] ^= 1;
    }
  }
}
