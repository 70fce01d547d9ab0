package dev.handoff.docs;

import static dev.handoff.plan.PlanRequest.after;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanRequest;
import java.nio.file.Path;
import java.time.Duration;

/// Example quoted in the README.
public final class ReadmeExample {

  private ReadmeExample() {}

  // #example
  record Thumbnail(String file, int width) {}

  public static void main(String[] args) {
    try (var handoff =
        Handoff.builder()
            .directory(Path.of("handoff-data"))
            .handler(
                "thumbnail", Thumbnail.class, (image, job) -> resize(image, job.cancellation()))
            .start()) {
      var request =
          JobRequest.of("thumbnail", new Thumbnail("a.png", 200))
              .queue("images")
              .key("a.png")
              .timeout(Duration.ofMinutes(1))
              .maxAttempts(5);
      var outcome = handoff.submitOrThrow(request).result().toCompletableFuture().join();
      switch (outcome) {
        case Outcome.Succeeded(var value) -> System.out.println("done: " + value);
        case Outcome.Failed(var error) -> System.out.println("failed: " + error.message());
        case Outcome.Cancelled(var reason, var abandoned) ->
            System.out.println("cancelled: " + reason);
      }
    }
  }

  // #example

  private static String resize(Thumbnail image, CancellationToken token) {
    token.throwIfCancelled();
    return image.file() + " at " + image.width();
  }

  // #plan
  static PlanHandle site(Handoff handoff) {
    return handoff
        .plans()
        .submitOrThrow(
            PlanRequest.of("site")
                .step("home", JobRequest.of("page", "home"))
                .step("news", JobRequest.of("page", "news").maxAttempts(5))
                .step("index", JobRequest.of("index"), after("home", "news")));
  }
  // #plan
}
