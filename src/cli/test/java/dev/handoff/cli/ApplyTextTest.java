package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The answer to an apply, as text")
class ApplyTextTest {

  private static final PlanId ID = new PlanId("01K9XVW5ZB0000000000000000");

  private static String text(ApplyAnswer answer) {
    var screen = new Screen(System.out, TerminalSetup.NONE);
    return new ApplyText(new NextCommand(ID, " --data d", ""), screen).of(answer);
  }

  @Test
  void namesTheFirstOfManyFiles() {
    var files =
        IntStream.range(0, 2_000)
            .mapToObj(i -> new ApplyAnswer.File("f" + i, "created", 1))
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
        .contains("nothing was written to /t\n")
        .endsWith("restore them, and apply again\n");
    assertThat(
            text(
                new ApplyAnswer.Conflicted(
                    "/t", List.of(problem("a b", "they disagree", List.of("x", "y"))))))
        .contains("conflict in a b: they disagree (x, y)\n")
        .contains("decide with: handoff plan resolve %s 'a b' --ours --data d".formatted(ID))
        .endsWith("nothing was written to /t\n");
  }

  private static ApplyAnswer.Problem problem(String path, String found, List<String> steps) {
    return new ApplyAnswer.Problem(path, found, null, null, null, steps);
  }

  @Test
  void saysThatADirectoryIsAsItWasOnlyIfThatIsKnown() {
    assertThat(text(new ApplyAnswer.Undone("/t", "it is not there", false)))
        .isEqualTo("not applied: it is not there\n");
    assertThat(text(new ApplyAnswer.Undone("/t", "the disk is full", true)))
        .isEqualTo("not applied: the disk is full\n/t is as it was before\n");
  }

  @Test
  void saysWhatToDoInEveryOtherCase() {
    var before = new PlanInfo.Applied("/t", 2, 3, Instant.EPOCH);

    assertThat(text(new ApplyAnswer.AlreadyApplied("/t", Optional.of(before))))
        .startsWith("/t has all of it already, since ");
    assertThat(text(new ApplyAnswer.AlreadyApplied("/t", Optional.empty())))
        .isEqualTo("/t has all of it already\n");
    assertThat(text(new ApplyAnswer.NothingToApply())).startsWith("nothing to apply: ");
    assertThat(text(new ApplyAnswer.Busy("/t"))).startsWith("not now: ").contains("/t");
    assertThat(text(new ApplyAnswer.NotPossible("it is a file")))
        .isEqualTo("not possible: it is a file\n");
    assertThat(text(new ApplyAnswer.NotFound(ID)))
        .isEqualTo("plan %s does not exist\n".formatted(ID));
    assertThat(text(new ApplyAnswer.Unavailable("the store is away", Duration.ZERO)))
        .contains("the store is away; repeat the command");
  }
}
