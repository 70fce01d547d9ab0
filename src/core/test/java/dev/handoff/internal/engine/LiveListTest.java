package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.internal.dispatch.QueuesState;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.testing.TestActors;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A list of live jobs")
class LiveListTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static List<JobState> list(JobQuery query, List<EntityState> live) {
    var ledger = actors.probe(Ledger.Command.class);
    var asker = actors.probe(Partition.Listing.class);
    var list =
        actors.spawn(
            LiveList.create(
                0,
                LiveList.of(query),
                ledger.ref(),
                InstantSource.fixed(JobSamples.NOW),
                asker.ref()));
    ledger.expectMessageClass(Ledger.GetStates.class).sink().tell(live);

    var jobs = asker.expectMessageClass(Partition.LiveJobs.class).jobs();
    ledger.expectTerminated(list);
    return jobs;
  }

  private static JobQuery all(int limit) {
    return new JobQuery(null, null, null, null, null, null, limit);
  }

  @Test
  void hasTheNewestOfMany() {
    var jobs = new ArrayList<JobState>();
    for (int i = 0; i < 3 * LiveList.SLICE + 7; i++) {
      jobs.add(JobSamples.state(JobSamples.spec()));
    }
    var newestFirst = new ArrayList<>(jobs);
    newestFirst.sort(Comparator.comparing((JobState job) -> job.id().value()).reversed());
    var live = new ArrayList<EntityState>(jobs);
    live.add(QueuesState.NONE);
    Collections.shuffle(live, new Random(1));

    assertThat(list(all(5), live)).isEqualTo(newestFirst.subList(0, 5));
    assertThat(list(all(100_000), live)).isEqualTo(newestFirst);
  }

  @Test
  void ofNoJobsIsEmpty() {
    assertThat(list(all(5), List.of())).isEmpty();
  }

  @Test
  void hasWhatWasAskedForAndNothingElse() {
    var plain = JobSamples.state(JobSamples.spec());
    var labelled = JobSamples.state(JobSamples.labelled("a", "b=c"));
    List<EntityState> live = List.of(plain, labelled);

    assertThat(list(new JobQuery(null, "q", null, null, null, null, 9), live))
        .containsExactly(labelled);
    assertThat(list(new JobQuery(null, null, "u", null, null, null, 9), live)).isEmpty();
    assertThat(list(new JobQuery(null, null, null, "plan", null, null, 9), live)).isEmpty();
    assertThat(list(new JobQuery(null, null, null, null, "a=b=c", null, 9), live))
        .containsExactly(labelled);
    assertThat(list(new JobQuery(null, null, null, null, "a=b", null, 9), live)).isEmpty();
    assertThat(list(new JobQuery(null, null, null, null, "a", null, 9), live)).isEmpty();
    assertThat(list(new JobQuery(JobStatus.QUEUED, null, null, null, null, null, 9), live))
        .hasSize(2);
    assertThat(list(new JobQuery(JobStatus.RUNNING, null, null, null, null, null, 9), live))
        .isEmpty();
    assertThat(list(new JobQuery(null, null, null, null, null, labelled.id().value(), 9), live))
        .containsExactly(plain);
  }
}
