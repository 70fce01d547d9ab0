package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.testing.RandomSeeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The trail of a job")
class JobTrailTest {

  @Test
  void keepsTheFirstAttemptAndTheNewestOnes() {
    var trail = withAttempts(500);

    assertThat(trail.attempts()).hasSize(JobTrail.MAX_ATTEMPTS);
    assertThat(trail.attempts().getFirst().number()).isEqualTo(1);
    assertThat(trail.attempts().getLast().number()).isEqualTo(500);
    assertThat(trail.attempts().get(1).number()).isEqualTo(500 - JobTrail.MAX_ATTEMPTS + 2);
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
    assertThat(characters).isLessThan(100 * 300 + 3 * 20 * 1024);
  }

  @Test
  void keepsTheNewestLines() {
    RandomSeeds.each(
        50,
        random -> {
          var trail = JobTrail.NONE;
          int lines = 0;
          while (lines < 400) {
            int more = random.nextInt(150);
            int from = lines;
            trail =
                trail.plusNotes(
                    new AttemptNotes(
                        IntStream.range(from, from + more).mapToObj(i -> "line " + i).toList(),
                        null));
            lines += more;
          }

          assertThat(trail.log()).hasSize(JobTrail.MAX_LOG_LINES);
          assertThat(trail.log().getLast()).isEqualTo("line " + (lines - 1));
          assertThat(trail.log().getFirst()).isEqualTo("line " + (lines - JobTrail.MAX_LOG_LINES));
        });
  }

  @Test
  void isTheSameWithoutAnythingNew() {
    assertThat(JobTrail.NONE.plusNotes(AttemptNotes.NONE)).isSameAs(JobTrail.NONE);
  }

  @Test
  void keepsTheLastProgressWhenOnlyLinesCome() {
    var half = new Progress(0.5, "half");

    var trail =
        JobTrail.NONE
            .plusNotes(new AttemptNotes(List.of(), half))
            .plusNotes(new AttemptNotes(List.of("a line"), null));

    assertThat(trail.progress()).isEqualTo(half);
  }

  @Test
  void keepsTheNewestReopenings() {
    var trail = JobTrail.NONE;
    for (int i = 0; i < 300; i++) {
      trail = trail.plus(new OperatorRetry("operator " + i, JobSituations.NOW), true);
    }

    assertThat(trail.reopenings()).hasSize(JobTrail.MAX_REOPENINGS);
    assertThat(trail.reopenings().getLast().by()).isEqualTo("operator 299");
  }

  @Test
  void findsAttemptsAndChildren() {
    var trail =
        withAttempts(2)
            .plus(JobSituations.CHILD)
            .plus(new ChildJob(JobSituations.id(9), null, "0"));

    assertThat(trail.attempt(2).number()).isEqualTo(2);
    assertThat(trail.attempt(3)).isNull();
    assertThat(trail.childWithKey("left")).isEqualTo(JobSituations.CHILD);
    assertThat(trail.childWithKey("right")).isNull();
    assertThat(trail.childWithKey(null)).isNull();
  }

  private static JobTrail withAttempts(int count) {
    var error = new JobError("x", "m".repeat(5_000), "s".repeat(20_000));
    var trail = JobTrail.NONE;
    for (int number = 1; number <= count; number++) {
      trail =
          trail.plus(
              new AttemptRecord(
                  number,
                  "pool/worker",
                  JobSituations.NOW,
                  JobSituations.NOW,
                  JobSituations.NOW,
                  EndCause.FAILED,
                  error,
                  false,
                  null));
    }
    return trail;
  }

  @Test
  void keepsOldAttemptsWithoutAnErrorAsTheyWere() {
    var trail = JobTrail.NONE;
    for (int number = 1; number <= 5; number++) {
      trail = trail.plus(withoutError(number));
    }

    assertThat(trail.attempts()).contains(withoutError(1)).hasSize(5);
  }

  private static AttemptRecord withoutError(int number) {
    return new AttemptRecord(
        number,
        "w",
        JobSituations.NOW,
        null,
        JobSituations.NOW,
        EndCause.SHUTDOWN,
        null,
        false,
        null);
  }
}
