package example;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import java.nio.file.Path;

public class FirstJob {
  record Thumbnail(String file, int width) {}

  public static void main(String[] args) {
    try (var handoff =
        Handoff.builder()
            .directory(Path.of("handoff-data"))
            .handler("thumbnail", Thumbnail.class, (t, job) -> t.width() + " px of " + t.file())
            .start()) {
      var request = JobRequest.of("thumbnail", new Thumbnail("a.png", 200)).key("a.png");
      var job = handoff.submitOrThrow(request.maxAttempts(5)); // returns when the job is durable
      switch (job.result().toCompletableFuture().join()) {
        case Outcome.Succeeded(var result) -> System.out.println("done: " + result);
        case Outcome.Failed(var error) -> System.out.println("failed: " + error.message());
        case Outcome.Cancelled(var reason, var abandoned) -> System.out.println("gone: " + reason);
      }
    }
  }
}
