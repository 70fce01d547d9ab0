package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.Handoff;
import dev.handoff.StoreException;
import dev.handoff.json.JobRequestJson;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanRefusedException;
import dev.handoff.plan.PlanSubmission;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An error")
class ErrorsTest {

  @TempDir Path dir;

  static Stream<Arguments> errors() {
    return Stream.of(
        arguments(new CommandFailedException(ExitCode.NOT_FOUND, "no such job"), 3, "no such job"),
        arguments(new StoreException.Held("held by pid 7"), 4, "held by pid 7"),
        arguments(
            new StoreException.Held("held by pid 7: stop that process first, or ask it instead"),
            4,
            "held by pid 7: stop that process first"),
        arguments(new StoreException.Unfit("other partitions"), 4, "other partitions"),
        arguments(new StoreException.Unavailable("away", new IOException()), 5, "away"),
        arguments(new StoreException.Unreadable("row 7", new IOException()), 1, "row 7"),
        arguments(new StoreException.Newer("version 9"), 4, "version 9"),
        arguments(new CompletionException(new StoreException.Held("held")), 4, "held"),
        arguments(new NoSuchFileException("f"), 1, "f does not exist"),
        arguments(invalid(), 2, "type: is missing"),
        arguments(
            new IllegalStateException("odd"),
            1,
            "unexpected error: odd (--verbose shows the stack trace)"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void hasAnExitCodeAndWords(Exception error, int exitCode, String words) {
    var failed = Program.asFailed(error);

    assertThat(failed.exitCode()).isEqualTo(exitCode);
    assertThat(failed).hasMessage(words);
  }

  @Test
  void ofAnEngineThatGivesNoAnswerIsNotAFailureOfTheProgram() {
    var handoff =
        Handoff.builder()
            .directory(dir)
            .handler("noop", Object.class, (payload, job) -> null)
            .start();
    var plan = handoff.plans().plan(new PlanId("01K9XVW5ZB0000000000000000"));
    handoff.close();

    var failed = Program.asFailed(failureOf(plan.info()));

    assertThat(failed.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(failed)
        .hasMessageStartingWith("the store gave no answer: the engine is closed\n")
        .hasMessageContaining(
            "it is unknown whether the command took effect", "repeating it is safe");
  }

  private static Throwable failureOf(CompletionStage<?> stage) {
    return stage.handle((answer, failure) -> failure).toCompletableFuture().join();
  }

  @Test
  void ofASubmissionSaysWhetherItIsKnownWhatBecameOfIt() {
    var unknown =
        PlanEngine.failed(
            refusal(new PlanSubmission.Unavailable("the store is away", Duration.ofMillis(200))),
            " --data d");
    var refused =
        PlanEngine.failed(refusal(new PlanSubmission.Refused("it is too large")), " --data d");

    assertThat(unknown.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(unknown)
        .hasMessageContaining("not known whether the plan was accepted: the store is away")
        .hasMessageEndingWith("look with: handoff plan list --data d");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused).hasMessage("it is too large");
  }

  private static PlanRefusedException refusal(PlanSubmission submission) {
    return catchThrowableOfType(PlanRefusedException.class, submission::orThrow);
  }

  @Test
  void ofAStoreOfANewerVersionIsARefusal() throws Exception {
    var id = "01K9XVW5ZB0000000000000000";
    Handoff.builder()
        .directory(dir)
        .handler("noop", Object.class, (payload, job) -> null)
        .start()
        .close();
    try (var database = DriverManager.getConnection("jdbc:sqlite:" + dir.resolve("handoff.db"));
        var statement = database.createStatement()) {
      statement.execute("UPDATE handoff_meta SET value = '99' WHERE name = 'version'");
    }

    for (var command : List.of("list", "doctor", "plan list", "plan cancel " + id)) {
      var words = new ArrayList<>(List.of(command.split(" ")));
      words.addAll(List.of("--data", dir.toString()));
      var ran = CliHarness.run(words.toArray(String[]::new));

      assertThat(ran.exitCode()).as(command).isEqualTo(ExitCode.REFUSED);
      assertThat(ran.out() + ran.err()).contains("version 99", "use a newer program");
    }
  }

  private static Exception invalid() {
    try {
      JobRequestJson.read("{}".getBytes());
      throw new AssertionError();
    } catch (IllegalArgumentException invalid) {
      return invalid;
    }
  }
}
