package dev.handoff.internal.dispatch.ready;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobNotice.Ready;
import dev.handoff.internal.text.Ulid;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ready jobs of one queue")
class ReadyQueueTest {

  private final Ulid ids = new Ulid(new Random(1));
  private final ReadyQueue queue = new ReadyQueue("q", 1, null);

  /// Whoever serves the queue looks at it again only then.
  @Test
  void sayWhichIsTheOnlyOneOfItsType() {
    var first = job("t", 0);
    var second = job("t", 0);
    var other = job("u", 0);

    assertThat(queue.add(first)).isTrue();
    assertThat(queue.add(second)).isFalse();
    assertThat(queue.add(other)).isTrue();
    assertThat(queue.remove(first)).isFalse();
    assertThat(queue.remove(second)).isTrue();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void goByTheirPriorityWhateverTheirTypesAre() {
    var types = Set.of("t", "u", "v");
    for (var urgent : List.of(job("t", 3), job("u", 4), job("v", 5))) {
      queue.add(job("t", 0));
      queue.add(job("u", 1));
      queue.add(job("v", 2));
      queue.add(urgent);

      assertThat(queue.first(types)).isSameAs(urgent);
    }
    assertThat(queue.first(Set.of("t")).priority()).isEqualTo(3);
    assertThat(queue.first(Set.of("t", "u")).priority()).isEqualTo(4);
  }

  private Ready job(String type, int priority) {
    var id = new JobId(ids.next(1, 0));
    return new Ready(id, type, "q", priority, Instant.EPOCH, null);
  }
}
