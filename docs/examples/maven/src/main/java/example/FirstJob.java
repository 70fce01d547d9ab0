package example;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import java.io.IOException;
import java.nio.file.Path;

/// A program that submits one job, waits for its outcome and prints it.
public final class FirstJob {

  public static void main(String[] args) throws IOException {
    try (var handoff =
        Handoff.builder()
            .directory(Path.of("target", "handoff-data"))
            .handler("greeting", String.class, (name, job) -> "Hello, " + name)
            .start()) {
      var job = handoff.submitOrThrow(JobRequest.of("greeting", "world"));
      switch (job.result().toCompletableFuture().join()) {
        case Outcome.Succeeded succeeded -> System.out.println(succeeded.as(String.class));
        case Outcome.Failed failed -> System.out.println("failed: " + failed.error().message());
        case Outcome.Cancelled cancelled -> System.out.println("cancelled: " + cancelled.reason());
      }
    }
  }
}
