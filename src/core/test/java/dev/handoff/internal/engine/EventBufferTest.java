package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.internal.dispatch.QueueFact;
import dev.handoff.internal.dispatch.QueueRule;
import dev.handoff.internal.dispatch.QueuesState;
import dev.handoff.internal.dispatch.worker.ProgressSeen;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.ledger.LedgerNotice;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Events")
class EventBufferTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final int KEEP = 10;

  private ActorRef<EventBuffer.Command> events;
  private TestProbe<EventBuffer.Page> reader;
  private long last;

  @BeforeEach
  void start() {
    events = actors.spawn(EventBuffer.create(KEEP, InstantSource.fixed(JobSamples.NOW)));
    reader = actors.probe(EventBuffer.Page.class);
    events.tell(new EventBuffer.GetLast(reader.ref()));
    last = reader.receiveMessage().last();
  }

  private void happens(int count) {
    events.tell(new EventBuffer.Happened(JobSamples.published(count)));
  }

  private void read(long after, int limit) {
    events.tell(new EventBuffer.Read(after, limit, reader.ref()));
  }

  @Test
  void areNumberedOnFromTheMicrosecondOfTheStart() {
    happens(3);

    read(last, 10);

    assertThat(last).isEqualTo(JobSamples.NOW.toEpochMilli() * 1000);
    assertThat(reader.receiveMessage().events())
        .extracting(EngineEvent::number)
        .containsExactly(last + 1, last + 2, last + 3);
  }

  @Test
  void comeInPages() {
    happens(5);

    read(last, 2);
    var first = reader.receiveMessage();
    read(first.last(), 2);
    var second = reader.receiveMessage();

    assertThat(first.events()).hasSize(2);
    assertThat(first.missed()).isFalse();
    assertThat(second.events()).extracting(EngineEvent::number).containsExactly(last + 3, last + 4);
    assertThat(second.last()).isEqualTo(last + 4);
  }

  @Test
  void areWaitedForByAReaderWhoHasSeenAll() {
    read(last, 10);
    reader.expectNoMessage(Duration.ZERO);

    happens(1);

    assertThat(reader.receiveMessage().events()).hasSize(1);
  }

  @Test
  void areNotWaitedForForEver() {
    read(last, 10);

    actors.pass(EventBuffer.LONGEST_WAIT);

    assertThat(reader.receiveMessage()).isEqualTo(new EventBuffer.Page(List.of(), last, false));
    happens(1);
    reader.expectNoMessage(Duration.ZERO);
  }

  @Test
  void thatAreGoneAreReportedAsMissed() {
    happens(KEEP + 2);

    read(last, 100);
    var late = reader.receiveMessage();
    read(last + 2, 100);
    var inTime = reader.receiveMessage();

    assertThat(late.missed()).isTrue();
    assertThat(late.events())
        .hasSize(KEEP)
        .first()
        .extracting(EngineEvent::number)
        .isEqualTo(last + 3);
    assertThat(inTime.missed()).isFalse();
    assertThat(inTime.events()).hasSize(KEEP);
  }

  @Test
  void ofAnotherStartAreReportedAsMissed() {
    read(last - 1_000_000, 10);
    assertThat(reader.receiveMessage()).isEqualTo(new EventBuffer.Page(List.of(), last, true));

    happens(1);
    read(last + 1_000_000, 10);

    var page = reader.receiveMessage();
    assertThat(page.missed()).isTrue();
    assertThat(page.events()).hasSize(1);
  }

  @Test
  void sayWhereTheLastOneIs() {
    happens(4);

    events.tell(new EventBuffer.GetLast(reader.ref()));

    assertThat(reader.receiveMessage()).isEqualTo(new EventBuffer.Page(List.of(), last + 4, false));
  }

  @Test
  void includeProgress() {
    var job = JobSamples.newId(0);

    events.tell(
        new EventBuffer.Progressed(
            new ProgressSeen(job, 2, "t", "q", new Progress(0.256, "a quarter"))));
    read(last, 1);

    assertThat(reader.receiveMessage().events())
        .containsExactly(
            new EngineEvent(
                last + 1,
                "progress",
                job,
                "t",
                "q",
                JobStatus.RUNNING,
                2,
                JobSamples.NOW,
                "26 % a quarter"));
  }

  @Test
  void leaveOutWhatIsNotAboutJobs() {
    var rule = new QueueFact.RuleSet("q", QueueRule.NONE, JobSamples.NOW);

    events.tell(new EventBuffer.Happened(List.of(new LedgerNotice.Folded(QueuesState.NONE, rule))));
    read(last, 10);

    reader.expectNoMessage(Duration.ZERO);
  }
}
