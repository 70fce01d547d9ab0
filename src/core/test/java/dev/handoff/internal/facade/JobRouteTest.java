package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.OtherThread;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The way of a new job")
class JobRouteTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final JobSpec SPEC = JobSpec.of("t", Json.NULL);

  private final HandClock clock = new HandClock(Instant.parse("2026-11-19T12:00:00Z"));
  private final List<TestProbe<Partition.Command>> partitions =
      IntStream.range(0, 3).mapToObj(i -> actors.probe(Partition.Command.class)).toList();
  private final JobRoute route =
      new JobRoute(partitions.stream().map(TestProbe::ref).toList(), clock);

  private List<String> ids(int count) {
    var ids = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      // The last two characters encode the partition.
      ids.add(route.of(SPEC).id().value().substring(0, 24));
    }
    return ids;
  }

  @Test
  void leadsToThePartitionThatTheIdNames() {
    for (int i = 0; i < 100; i++) {
      var target = route.of(SPEC);
      assertThat(target.partition()).isEqualTo(partitions.get(target.id().partition()).ref());
    }
  }

  @Test
  void leadsToEveryPartition() {
    var met = new HashSet<Integer>();
    for (int i = 0; i < 1_000; i++) {
      met.add(route.of(SPEC).id().partition());
    }

    assertThat(met).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void bringsEqualKeysTogether() {
    var keyed =
        JobSpecs.of(JobRequest.of("t").key("a key"), clock.instant(), JsonFormat.standard());

    for (int i = 0; i < 100; i++) {
      assertThat(route.of(keyed).id().partition()).isEqualTo(Math.floorMod("a key".hashCode(), 3));
    }
  }

  @Test
  void givesRisingIdsWithinAMillisecondAndBeyondWhatOneHolds() {
    assertThat(ids(600_000)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void givesRisingIdsWhenTheClockIsSetBack() {
    var before = ids(10);
    clock.move(Duration.ofHours(-1));

    assertThat(ids(10)).allSatisfy(id -> assertThat(id).isGreaterThan(before.getLast()));
  }

  @Test
  void givesNoIdTwiceToThreadsThatAskAtOnce() {
    var asking = IntStream.range(0, 4).mapToObj(i -> OtherThread.call(() -> ids(20_000))).toList();

    var all = new HashSet<String>();
    asking.forEach(ids -> all.addAll(BoundedWaits.get(ids)));

    assertThat(all).hasSize(80_000);
  }
}
