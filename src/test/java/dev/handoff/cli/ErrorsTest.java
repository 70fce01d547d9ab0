package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.JobRequestJson;
import dev.handoff.store.StoreException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An error")
class ErrorsTest {

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
        arguments(new CompletionException(new StoreException.Held("held")), 4, "held"),
        arguments(new NoSuchFileException("f"), 1, "f does not exist"),
        arguments(invalid(), 2, "type: is missing"),
        arguments(
            new IllegalStateException("odd"), 1, "this went wrong: odd (--verbose shows where)"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void hasAnExitCodeAndWords(Exception error, int exitCode, String words) {
    var failed = Program.asFailed(error);

    assertThat(failed.exitCode()).isEqualTo(exitCode);
    assertThat(failed).hasMessage(words);
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
