package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Jobs with keys and large results that are all submitted again")
class KeyedAgainTest {

  /// 300 MB of results, with a heap of 96 MB.
  @Test
  void areKnownWithoutReadingTheirResults(@TempDir Path directory) throws Exception {
    var command = new ArrayList<>(ChildJvm.command(KeyedAgain.class, "-Xmx96m"));
    command.addAll(List.of(directory.resolve("data").toString(), "1500", "200000"));

    var process = new ProcessBuilder(command).redirectErrorStream(true).start();

    try (var output = process.inputReader()) {
      assertThat(output.lines().toList()).contains("known: 1500");
    }
    assertThat(process.waitFor()).isZero();
  }
}
