package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.ApplyAnswer;
import dev.handoff.plan.Applied;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The answer to an apply, as text")
class ApplyTextTest {

  private static final PlanId ID = new PlanId("01K9XVW5ZB0000000000000000");

  private static String text(ApplyAnswer answer) {
    var screen = new Screen(System.out, Terminals.NONE);
    return new ApplyText(new Again(ID, " --data d", ""), screen).of(answer);
  }

  @Test
  void namesTheFirstOfManyFiles() {
    var files =
        IntStream.range(0, 2_000)
            .mapToObj(i -> new ApplyOutcome.File("f" + i, "created", 1))
            .toList();

    assertThat(text(new ApplyAnswer.Applied("/t", files)))
        .contains("created   f0\n", " more\n")
        .endsWith("applied to /t: 2,000 files\n");
    assertThat(text(new ApplyAnswer.Possible("/t", files.subList(0, 1))))
        .endsWith("1 file would be written to /t; nothing was\n");
  }

  @Test
  void namesTheFirstOfManyProblemsAndHowToDecide() {
    var files =
        IntStream.range(0, 2_000)
            .mapToObj(i -> problem("f" + i, "it is there", List.of()))
            .toList();

    assertThat(text(new ApplyAnswer.Conflicted("/t", files)))
        .contains("conflict in f0: it is there\n", " more\n")
        .doesNotContain("decide with")
        .endsWith("nothing was written to /t\n");
    assertThat(
            text(
                new ApplyAnswer.Conflicted(
                    "/t", List.of(problem("a b", "they disagree", List.of("x", "y"))))))
        .contains("conflict in a b: they disagree (x, y)\n")
        .contains("decide with: handoff plan resolve %s 'a b' --ours --data d".formatted(ID));
  }

  private static ApplyOutcome.Problem problem(String path, String found, List<String> steps) {
    return new ApplyOutcome.Problem(path, found, null, null, null, steps);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "an apply of this plan was interrupted there: the next one finishes or undoes it first",
        "apply 01K9-1 was interrupted there: this user may not do that",
        "\".x\" is there: an apply of that name was interrupted, and is to be recovered first",
        "it was interrupted, and the directory is not there",
        "moving \"a\": the disk is full; \"a\" was changed by somebody else meanwhile, and left as"
            + " it is",
        "the disk is full; the directory \"a\" was left: somebody else has put something in it",
        "it was not certain whether it had been written"
      })
  void doesNotSayThatADirectoryIsAsItWasIfThatIsNotKnown(String reason) {
    assertThat(text(new ApplyAnswer.Undone("/t", reason)))
        .isEqualTo("not applied: %s\n".formatted(reason));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "it was cancelled: the plan was cancelled",
        "moving \"a\": its thread was interrupted",
        "it was interrupted before it wrote anything"
      })
  void saysThatADirectoryIsAsItWasIfThatIsKnown(String reason) {
    assertThat(text(new ApplyAnswer.Undone("/t", reason))).endsWith("\n/t is as it was before\n");
  }

  @Test
  void saysWhatToDoInEveryOtherCase() {
    var before = new Applied(1, "/t", 2, "head", 3, Instant.EPOCH);

    assertThat(text(new ApplyAnswer.AlreadyApplied("/t", Optional.of(before))))
        .startsWith("/t has all of it already, since ");
    assertThat(text(new ApplyAnswer.AlreadyApplied("/t", Optional.empty())))
        .isEqualTo("/t has all of it already\n");
    assertThat(text(new ApplyAnswer.NothingToApply())).startsWith("nothing to apply: ");
    assertThat(text(new ApplyAnswer.Undone("/t", "the disk is full")))
        .isEqualTo("not applied: the disk is full\n/t is as it was before\n");
    assertThat(text(new ApplyAnswer.Busy("/t"))).startsWith("not now: ").contains("/t");
    assertThat(text(new ApplyAnswer.NotPossible("it is a file")))
        .isEqualTo("not possible: it is a file\n");
    assertThat(text(new ApplyAnswer.NotFound(ID)))
        .isEqualTo("plan %s does not exist\n".formatted(ID));
    assertThat(text(new ApplyAnswer.Unavailable("the store is away", Duration.ZERO)))
        .contains("the store is away; ask again");
  }
}
