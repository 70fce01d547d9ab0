package dev.handoff.internal.dispatch.ready;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobNotice.Ready;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.RandomSeeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A line of jobs")
class PriorityLineTest {

  private static final Comparator<Ready> ORDER =
      Comparator.comparingInt((Ready job) -> -job.priority())
          .thenComparing(Ready::due)
          .thenComparing(job -> job.job().value());

  private final Ulid ids = new Ulid(new Random(1));

  @Test
  void isEmptyAtFirst() {
    var line = new PriorityLine();

    assertThat(line.isEmpty()).isTrue();
    assertThat(line.peek()).isNull();
  }

  @Test
  void goesByPriorityThenDueTimeThenSubmission() {
    var first = job(0, 5);
    var second = job(0, 5);
    var earlier = job(0, 4);
    var urgent = job(9, 7);

    assertThat(all(first, second, earlier, urgent)).containsExactly(urgent, earlier, first, second);
  }

  @Test
  void letsAnUrgentJobPassAnyNumberOfOthers() {
    var line = new PriorityLine();
    for (int i = 0; i < 1_000; i++) {
      line.add(job(0, i));
    }
    var urgent = job(1, 2_000);

    line.add(urgent);

    assertThat(line.peek()).isSameAs(urgent);
    assertThat(line.size()).isEqualTo(1_001);
  }

  @Test
  void keepsTheOrderOfAHeapWhateverComesAndGoes() {
    RandomSeeds.each(
        300,
        random -> {
          var line = new PriorityLine();
          var heap = new PriorityQueue<>(ORDER);
          int disorder = 1 + random.nextInt(200);
          for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(5) < (step < 1_200 ? 3 : 2)) {
              var job = arriving(step, disorder, random);
              line.add(job);
              heap.add(job);
            } else if (!heap.isEmpty()) {
              var next = random.nextInt(3) == 0 ? anyOf(heap, random) : heap.peek();
              heap.remove(next);
              line.remove(next);
              assertThat(line.peek()).isSameAs(heap.peek());
            }
            assertThat(line.size()).isEqualTo(heap.size());
          }
        });
  }

  private static Ready anyOf(PriorityQueue<Ready> heap, RandomGenerator random) {
    return heap.stream().skip(random.nextInt(heap.size())).findFirst().orElseThrow();
  }

  @Test
  void forgetsThoseWhoHaveLeftOnceTheyAreTheMost() {
    var line = new PriorityLine();
    var jobs = new ArrayList<Ready>();
    for (int i = 0; i < 1_000; i++) {
      jobs.add(job(i % 7 == 0 ? 1 : 0, i));
      line.add(jobs.getLast());
    }
    var stays = jobs.removeLast();

    jobs.reversed().forEach(line::remove);

    assertThat(line.size()).isEqualTo(1);
    assertThat(line.peek()).isSameAs(stays);
    assertThat(line.held()).isLessThan(50);
  }

  private Ready arriving(int step, int disorder, RandomGenerator random) {
    return job(random.nextInt(50) == 0 ? random.nextInt(3) : 0, step + random.nextInt(disorder));
  }

  private static List<Ready> all(Ready... jobs) {
    var line = new PriorityLine();
    List.of(jobs).forEach(line::add);
    var order = new ArrayList<Ready>();
    while (!line.isEmpty()) {
      order.add(line.peek());
      line.remove(line.peek());
    }
    return order;
  }

  /// Jobs that overtake many others wait in a separate heap; both structures drop removed jobs.
  @Test
  void throwsOutWhatHasLeftOnceThatIsMostOfIt() {
    var line = new PriorityLine();
    var ordinary = new ArrayList<Ready>();
    var pushing = new ArrayList<Ready>();
    for (int i = 0; i < 100; i++) {
      ordinary.add(job(0, i));
    }
    for (int i = 0; i < 40; i++) {
      pushing.add(job(9, i));
    }
    ordinary.forEach(line::add);
    pushing.forEach(line::add);

    // Jobs at the heads of both structures stay, so that each removal leaves a tombstone.
    var left = new ArrayList<>(ordinary.subList(1, 60));
    left.addAll(pushing.subList(1, 40));
    left.forEach(line::remove);

    assertThat(line.size()).isEqualTo(140 - left.size());
    assertThat(line.held()).isLessThan(2 * line.size() + 1);
    var order = new ArrayList<Ready>();
    while (!line.isEmpty()) {
      order.add(line.peek());
      line.remove(line.peek());
    }
    assertThat(order.getFirst()).isEqualTo(pushing.getFirst());
    assertThat(order.get(1)).isEqualTo(ordinary.getFirst());
    assertThat(order.subList(2, order.size())).isEqualTo(ordinary.subList(60, 100));
    assertThat(line.held()).isZero();
  }

  /// Jobs that have left stay until they are the most, and are thrown out then; also of a line that
  /// is as long as its room.
  @Test
  void throwsOutWhatHasLeftNotBeforeItIsMostOfIt() {
    var line = new PriorityLine();
    var jobs = new ArrayList<Ready>();
    for (int i = 0; i < 64; i++) {
      jobs.add(job(0, i));
    }
    jobs.forEach(line::add);

    jobs.subList(1, 33).forEach(line::remove);
    assertThat(line.size()).isEqualTo(32);
    assertThat(line.held()).isEqualTo(64);
    line.remove(jobs.get(33));

    assertThat(line.held()).isEqualTo(31);
    assertThat(line.peek()).isSameAs(jobs.getFirst());
    jobs.subList(34, 62).forEach(line::remove);
    assertThat(line.size()).isEqualTo(3);
    assertThat(line.held()).isLessThan(20);
    for (var left : List.of(jobs.getFirst(), jobs.get(62), jobs.get(63))) {
      assertThat(line.peek()).isSameAs(left);
      line.remove(left);
    }
    assertThat(line.isEmpty()).isTrue();
  }

  private Ready job(int priority, long due) {
    var id = new JobId(ids.next(1, 0));
    return new Ready(id, "noop", "default", priority, Instant.ofEpochMilli(due), null);
  }
}
