package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A run in a process that is killed over and over")
@DisabledOnOs(OS.WINDOWS)
class ProcessStressTest {

  private static final int JOBS = 150;

  @TempDir Path dir;

  @Test
  void doesEverythingInTheEndHoweverOftenItIsKilled() throws Exception {
    jobs(
        IntStream.rangeClosed(1, JOBS)
            .mapToObj(n -> sh("echo %d >> out.txt".formatted(n)))
            .toList());
    var out = dir.resolve("out.txt");

    for (int kill = 1; kill <= 3; kill++) {
      var run = run("--workers", "2");
      long seen = ProgramProcess.linesOf(out);
      ProgramProcess.await(() -> ProgramProcess.linesOf(out) >= seen + 10);
      run.signal("KILL");
      assertThat(run.exitCode()).isEqualTo(137);
    }
    var last = run("--workers", "16");

    assertThat(last.exitCode()).isZero();
    assertThat(last.said())
        .startsWith(JOBS + " jobs: " + JOBS + " succeeded")
        .contains("had been accepted before");
    var numbers = new ArrayList<>(Files.readAllLines(out).stream().map(Integer::valueOf).toList());
    assertThat(numbers).containsAll(IntStream.rangeClosed(1, JOBS).boxed().toList());
    for (var job : list()) {
      int number =
          Integer.parseInt(job.get("payload").get("argv").get(2).textValue().split(" ")[1]);
      assertThat(Collections.frequency(numbers, number))
          .as("job %d was started again for a recorded cause only", number)
          .isLessThanOrEqualTo(job.get("attempts").size());
      assertThat(job.get("attempts"))
          .allSatisfy(
              attempt ->
                  assertThat(attempt.get("outcome").textValue()).isIn("worker-lost", "succeeded"));
    }
  }

  private void jobs(List<String> lines) throws IOException {
    Files.writeString(dir.resolve("jobs.ndjson"), lines.stream().collect(Collectors.joining("\n")));
  }

  private ProgramProcess run(String... options) throws IOException {
    var args = new ArrayList<>(List.of("run", "jobs.ndjson", "--data", "data", "--allow-exec"));
    args.addAll(List.of(options));
    return ProgramProcess.start(dir, args.toArray(String[]::new));
  }

  private static String sh(String script) {
    return "{\"type\":\"exec\",\"payload\":{\"argv\":[\"sh\",\"-c\",\"%s\"]}}".formatted(script);
  }

  private List<JsonNode> list() throws IOException {
    var ran =
        CliHarness.run(
            "list", "--json", "--limit", "10000", "--data", dir.resolve("data").toString());
    var jobs = new ArrayList<JsonNode>();
    JsonMapper.builder().build().readTree(ran.out()).forEach(jobs::add);
    return jobs;
  }
}
