package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice.Ready;
import dev.handoff.ledger.Ulid;
import dev.handoff.testing.Seeds;
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
class LineTest {

  private static final Comparator<Ready> ORDER =
      Comparator.comparingInt((Ready job) -> -job.priority())
          .thenComparing(Ready::due)
          .thenComparing(job -> job.job().value());

  private final Ulid ids = new Ulid(new Random(1));

  @Test
  void isEmptyAtFirst() {
    var line = new Line();

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
    var line = new Line();
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
    Seeds.each(
        300,
        random -> {
          var line = new Line();
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
    var line = new Line();
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
    var line = new Line();
    List.of(jobs).forEach(line::add);
    var order = new ArrayList<Ready>();
    while (!line.isEmpty()) {
      order.add(line.peek());
      line.remove(line.peek());
    }
    return order;
  }

  /// Those that push in wait elsewhere than those that line up; both are thrown out.
  @Test
  void throwsOutWhatHasLeftOnceThatIsMostOfIt() {
    var line = new Line();
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

    // All but the first of each, so that nobody is taken from the head.
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

  private Ready job(int priority, long due) {
    var id = new JobId(ids.next(1, 0));
    return new Ready(id, "noop", "default", priority, Instant.ofEpochMilli(due), null);
  }
}
