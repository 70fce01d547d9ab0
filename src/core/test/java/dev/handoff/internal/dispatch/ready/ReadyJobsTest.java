package dev.handoff.internal.dispatch.ready;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobNotice.Ready;
import dev.handoff.internal.job.JobNotice.Withdrawn;
import dev.handoff.internal.text.Ulid;
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
  private final Map<String, FreeSlots> gates = new HashMap<>();
  private final ReadyJobs ready = new ReadyJobs(queue -> queue.equals("mail") ? 3 : 1, gates::get);

  private static final class FreeSlots implements ClaimLimit {
    private int count;

    @Override
    public int most() {
      return count;
    }

    @Override
    public void enter() {
      count--;
    }
  }

  @Test
  void goQueueByQueueByTheirWeight() {
    var order = ready.order(Set.of("t"));
    for (int i = 0; i < 20; i++) {
      add("t", "images");
      add("t", "mail");
    }

    assertThat(queues(order, 16)).filteredOn("mail"::equals).hasSize(12);
  }

  @Test
  void haveNothingSavedUpWhenTheirQueueWasEmpty() {
    var order = ready.order(Set.of("t"));
    for (int i = 0; i < 20; i++) {
      add("t", "images");
    }
    queues(order, 10);
    for (int i = 0; i < 20; i++) {
      add("t", "other");
    }

    assertThat(queues(order, 10)).filteredOn("other"::equals).hasSize(5);
  }

  @Test
  void areNotBlockedByOneThatCannotRun() {
    var order = ready.order(Set.of("t"));
    add("unknown", "q");
    var able = add("t", "q");

    assertThat(ready.take(order)).isEqualTo(able);
    assertThat(ready.take(order)).isNull();
    assertThat(ready.types()).containsExactly("unknown");
  }

  @Test
  void areNotBlockedByAQueueThatIsFull() {
    var full = new FreeSlots();
    gates.put("full", full);
    var order = ready.order(Set.of("t"));
    add("t", "full");
    var able = add("t", "q");

    assertThat(order.wanted(10)).isEqualTo(1);
    assertThat(ready.take(order)).isEqualTo(able);
    full.count = 1;
    ready.refresh("full");
    assertThat(order.wanted(10)).isEqualTo(1);
    assertThat(ready.take(order)).isNotNull();
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

  /// A repeated message is the same object.
  @Test
  void areInHereOnceAlsoIfTheySayTheVerySameAgain() {
    var order = ready.order(Set.of("t"));
    var first = add("t", "q");
    var second = add("t", "q");
    ready.add(second, NOW);
    ready.remove(new Withdrawn(second.job(), second.ref()));
    ready.add(second, NOW);
    ready.remove(new Withdrawn(second.job(), second.ref()));

    assertThat(ready.ready("q", Set.of("t"))).isEqualTo(1);
    ready.add(second, NOW);
    assertThat(ready.ready("q", Set.of("t"))).isEqualTo(2);
    assertThat(List.of(ready.take(order), ready.take(order))).containsExactly(first, second);
    assertThat(ready.take(order)).isNull();
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

    assertThat(ready.queues()).isEmpty();
    assertThat(ready.scheduled()).isEmpty();
    assertThat(ready.nextDue()).isEmpty();
  }

  @Test
  void comeWhenTheyAreDue() {
    var order = ready.order(Set.of("t"));
    var job = job("t", "q", NOW.plusSeconds(5));
    ready.add(job, NOW);

    assertThat(ready.release(NOW.plusSeconds(4))).isFalse();
    assertThat(ready.take(order)).isNull();
    assertThat(ready.nextDue()).contains(NOW.plusSeconds(5));
    assertThat(ready.release(NOW.plusSeconds(5))).isTrue();
    assertThat(ready.take(order)).isEqualTo(job);
  }

  @Test
  void areCountedUntilTheyAreDueAlsoThoseOfTheSameTime() {
    var order = ready.order(Set.of("t"));
    var due = NOW.plusSeconds(5);
    var first = job("t", "q", due);
    var second = job("t", "q", due);
    var withdrawn = job("t", "q", due);
    List.of(first, second, withdrawn).forEach(job -> ready.add(job, NOW));
    assertThat(ready.scheduled()).containsEntry("q", 3);

    ready.remove(new Withdrawn(withdrawn.job(), withdrawn.ref()));
    assertThat(ready.scheduled()).containsEntry("q", 2);
    ready.release(due);

    assertThat(ready.scheduled()).isEmpty();
    assertThat(List.of(ready.take(order), ready.take(order))).containsExactly(first, second);
    assertThat(ready.take(order)).isNull();
  }

  /// A queue beyond its fair share is remembered until the others have caught up.
  @Test
  void rememberAQueueUntilTheOthersHaveCaughtUp() {
    var order = ready.order(Set.of("t"));
    add("t", "greedy");
    ready.take(order);
    ready.prune();
    assertThat(ready.queues()).hasSize(1);

    add("t", "other");
    add("t", "other");
    ready.take(order);
    ready.take(order);
    ready.prune();
    ready.prune();

    assertThat(ready.queues()).extracting(readyQueue -> readyQueue.queue).doesNotContain("greedy");
  }

  private List<String> queues(FairOrder order, int count) {
    return Stream.generate(() -> ready.take(order)).limit(count).map(Ready::queue).toList();
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
