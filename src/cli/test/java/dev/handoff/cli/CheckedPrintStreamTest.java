package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer")
class CheckedPrintStreamTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static final class Failing extends OutputStream {
    private final String reason;

    Failing(String reason) {
      this.reason = reason;
    }

    @Override
    public void write(int one) throws IOException {
      throw new IOException(reason);
    }
  }

  private int run(OutputStream out, String... args) {
    var streams =
        new ProgramStreams(
            new ByteArrayInputStream(new byte[0]),
            new CheckedPrintStream(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            TerminalSetup.none());
    return Program.run(streams, args);
  }

  @Test
  void thatIsWrittenIsAllThereIsToIt() {
    var out = new ByteArrayOutputStream();

    assertThat(run(out, "--version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("handoff ");
    assertThat(err.size()).isZero();
  }

  @Test
  void thatCannotBeWrittenIsAFailure() {
    int exitCode = run(new Failing("No space left on device"), "--version");

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines(
            "handoff: the output could not be written: No space left on device");
  }

  /// As in `handoff list | head`.
  @Test
  void thatNobodyWantsToReadToItsEndIsNone() {
    assertThat(run(new Failing("Broken pipe"), "--version")).isZero();
    assertThat(err.size()).isZero();
  }

  @Test
  void leavesAnotherExitCodeAsItIs() {
    assertThat(run(new Failing("No space left on device"), "nonsense")).isEqualTo(ExitCode.USAGE);
  }
}
