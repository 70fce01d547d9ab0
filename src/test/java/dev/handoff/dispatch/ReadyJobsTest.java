package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice.Ready;
import dev.handoff.job.JobNotice.Withdrawn;
import dev.handoff.ledger.Ulid;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The jobs that want a worker")
class ReadyJobsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Ulid ids = new Ulid(new Random(1));
  private final Map<String, Gate> gates = new HashMap<>();
  private final ReadyJobs ready = new ReadyJobs(queue -> queue.equals("mail") ? 3 : 1, gates::get);

  @Test
  void goQueueByQueueByTheirWeight() {
    var lineup = ready.lineup(Set.of("t"));
    for (int i = 0; i < 20; i++) {
      add("t", "images");
      add("t", "mail");
    }

    assertThat(queues(lineup, 16)).filteredOn("mail"::equals).hasSize(12);
  }

  @Test
  void haveNothingSavedUpWhenTheirQueueWasEmpty() {
    var lineup = ready.lineup(Set.of("t"));
    for (int i = 0; i < 20; i++) {
      add("t", "images");
    }
    queues(lineup, 10);
    for (int i = 0; i < 20; i++) {
      add("t", "other");
    }

    assertThat(queues(lineup, 10)).filteredOn("other"::equals).hasSize(5);
  }

  @Test
  void areNotBlockedByOneThatCannotRun() {
    var lineup = ready.lineup(Set.of("t"));
    add("unknown", "q");
    var able = add("t", "q");

    assertThat(ready.take(lineup)).isEqualTo(able);
    assertThat(ready.take(lineup)).isNull();
    assertThat(ready.types()).containsExactly("unknown");
  }

  @Test
  void areNotBlockedByAQueueThatIsFull() {
    var full = new Gate("full", nobody -> {});
    full.setRule(new QueueRule(false, 1));
    full.begin(1, 1);
    gates.put("full", full);
    var lineup = ready.lineup(Set.of("t"));
    add("t", "full");
    var able = add("t", "q");

    assertThat(lineup.wanted(10)).isEqualTo(1);
    assertThat(ready.take(lineup)).isEqualTo(able);
    full.grant(1, 2);
    ready.refresh("full");
    assertThat(lineup.wanted(10)).isEqualTo(1);
    assertThat(ready.take(lineup)).isNotNull();
    assertThat(full.most()).isZero();
  }

  @Test
  void areInHereOnce() {
    var job = job("t", "q", NOW);
    var later = new Ready(job.job(), "t", "q", 0, NOW.plusSeconds(5), job.ref());
    ready.add(job, NOW);

    ready.add(later, NOW);

    assertThat(ready.scheduled()).containsEntry("q", 1);
    assertThat(ready.ready("q", Set.of("t"))).isZero();
    ready.add(job, NOW);
    assertThat(ready.scheduled()).isEmpty();
    assertThat(ready.ready("q", Set.of("t"))).isEqualTo(1);
  }

  /// A message that comes twice is the same object.
  @Test
  void areInHereOnceAlsoIfTheySayTheVerySameAgain() {
    var lineup = ready.lineup(Set.of("t"));
    var first = add("t", "q");
    var second = add("t", "q");
    ready.add(second, NOW);
    ready.remove(new Withdrawn(second.job(), second.ref()));
    ready.add(second, NOW);
    ready.remove(new Withdrawn(second.job(), second.ref()));

    assertThat(ready.ready("q", Set.of("t"))).isEqualTo(1);
    ready.add(second, NOW);
    assertThat(ready.ready("q", Set.of("t"))).isEqualTo(2);
    assertThat(List.of(ready.take(lineup), ready.take(lineup))).containsExactly(first, second);
    assertThat(ready.take(lineup)).isNull();
  }

  @Test
  void leaveNothingBehindWhenTheyAreTakenOut() {
    var now = add("t", "q");
    var later = job("t", "q", NOW.plusSeconds(5));
    ready.add(later, NOW);

    assertThat(ready.remove(new Withdrawn(now.job(), now.ref()))).isTrue();
    assertThat(ready.remove(new Withdrawn(now.job(), now.ref()))).isFalse();
    assertThat(ready.remove(new Withdrawn(later.job(), later.ref()))).isTrue();
    ready.prune();

    assertThat(ready.lanes()).isEmpty();
    assertThat(ready.scheduled()).isEmpty();
    assertThat(ready.nextDue()).isEmpty();
  }

  @Test
  void comeWhenTheyAreDue() {
    var lineup = ready.lineup(Set.of("t"));
    var job = job("t", "q", NOW.plusSeconds(5));
    ready.add(job, NOW);

    assertThat(ready.release(NOW.plusSeconds(4))).isFalse();
    assertThat(ready.take(lineup)).isNull();
    assertThat(ready.nextDue()).contains(NOW.plusSeconds(5));
    assertThat(ready.release(NOW.plusSeconds(5))).isTrue();
    assertThat(ready.take(lineup)).isEqualTo(job);
  }

  /// A queue that has had more than its share is remembered until the others have caught up.
  @Test
  void rememberAQueueUntilTheOthersHaveCaughtUp() {
    var lineup = ready.lineup(Set.of("t"));
    add("t", "greedy");
    ready.take(lineup);
    ready.prune();
    assertThat(ready.lanes()).hasSize(1);

    add("t", "other");
    add("t", "other");
    ready.take(lineup);
    ready.take(lineup);
    ready.prune();
    ready.prune();

    assertThat(ready.lanes()).extracting(lane -> lane.queue).doesNotContain("greedy");
  }

  private List<String> queues(Lineup lineup, int count) {
    return Stream.generate(() -> ready.take(lineup)).limit(count).map(Ready::queue).toList();
  }

  private Ready add(String type, String queue) {
    var job = job(type, queue, NOW);
    ready.add(job, NOW);
    return job;
  }

  private Ready job(String type, String queue, Instant due) {
    return new Ready(new JobId(ids.next(NOW.toEpochMilli(), 0)), type, queue, 0, due, null);
  }
}
