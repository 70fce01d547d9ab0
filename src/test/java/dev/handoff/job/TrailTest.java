package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Seeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The trail of a job")
class TrailTest {

  @Test
  void keepsTheFirstAttemptAndTheNewestOnes() {
    var trail = withAttempts(500);

    assertThat(trail.attempts()).hasSize(Trail.MAX_ATTEMPTS);
    assertThat(trail.attempts().getFirst().number()).isEqualTo(1);
    assertThat(trail.attempts().getLast().number()).isEqualTo(500);
    assertThat(trail.attempts().get(1).number()).isEqualTo(500 - Trail.MAX_ATTEMPTS + 2);
  }

  @Test
  void keepsTheStackTracesOfTheLastThreeAttempts() {
    var stacks =
        withAttempts(10).attempts().stream().map(a -> a.error().stack().isEmpty()).toList();

    assertThat(stacks)
        .containsExactly(true, true, true, true, true, true, true, false, false, false);
  }

  @Test
  void ofAJobThatIsRetriedForMonthsStaysSmall() {
    var trail = withAttempts(1_000);

    int characters =
        trail.attempts().stream()
            .mapToInt(a -> a.error().message().length() + a.error().stack().length())
            .sum();
    assertThat(characters).isLessThan(100 * 300 + 3 * (JobError.MAX_MESSAGE + JobError.MAX_STACK));
  }

  @Test
  void keepsTheNewestLines() {
    Seeds.each(
        50,
        random -> {
          var trail = Trail.NONE;
          int lines = 0;
          while (lines < 400) {
            int more = random.nextInt(150);
            int from = lines;
            trail =
                trail.plusNotes(
                    new Notes(
                        IntStream.range(from, from + more).mapToObj(i -> "line " + i).toList(),
                        null));
            lines += more;
          }

          assertThat(trail.log()).hasSize(Trail.MAX_LOG_LINES);
          assertThat(trail.log().getLast()).isEqualTo("line " + (lines - 1));
          assertThat(trail.log().getFirst()).isEqualTo("line " + (lines - Trail.MAX_LOG_LINES));
        });
  }

  @Test
  void isTheSameWithoutAnythingNew() {
    assertThat(Trail.NONE.plusNotes(Notes.NONE)).isSameAs(Trail.NONE);
  }

  @Test
  void keepsTheLastProgressWhenOnlyLinesCome() {
    var half = new Progress(0.5, "half");

    var trail =
        Trail.NONE
            .plusNotes(new Notes(List.of(), half))
            .plusNotes(new Notes(List.of("a line"), null));

    assertThat(trail.progress()).isEqualTo(half);
  }

  @Test
  void keepsTheNewestReopenings() {
    var trail = Trail.NONE;
    for (int i = 0; i < 300; i++) {
      trail = trail.plus(new Reopening("operator " + i, Samples.NOW), true);
    }

    assertThat(trail.reopenings()).hasSize(Trail.MAX_REOPENINGS);
    assertThat(trail.reopenings().getLast().by()).isEqualTo("operator 299");
  }

  @Test
  void findsAttemptsAndChildren() {
    var trail = withAttempts(2).plus(Samples.CHILD).plus(new Child(Samples.id(9), null, "0"));

    assertThat(trail.attempt(2).number()).isEqualTo(2);
    assertThat(trail.attempt(3)).isNull();
    assertThat(trail.childWithKey("left")).isEqualTo(Samples.CHILD);
    assertThat(trail.childWithKey("right")).isNull();
    assertThat(trail.childWithKey(null)).isNull();
  }

  private static Trail withAttempts(int count) {
    var error = new JobError("x", "m".repeat(5_000), "s".repeat(20_000));
    var trail = Trail.NONE;
    for (int number = 1; number <= count; number++) {
      trail =
          trail.plus(
              new AttemptRecord(
                  number,
                  "pool/worker",
                  Samples.NOW,
                  Samples.NOW,
                  Samples.NOW,
                  EndCause.FAILED,
                  error,
                  false,
                  null));
    }
    return trail;
  }

  @Test
  void keepsOldAttemptsWithoutAnErrorAsTheyWere() {
    var trail = Trail.NONE;
    for (int number = 1; number <= 5; number++) {
      trail = trail.plus(withoutError(number));
    }

    assertThat(trail.attempts()).contains(withoutError(1)).hasSize(5);
  }

  private static AttemptRecord withoutError(int number) {
    return new AttemptRecord(
        number, "w", Samples.NOW, null, Samples.NOW, EndCause.SHUTDOWN, null, false, null);
  }
}
