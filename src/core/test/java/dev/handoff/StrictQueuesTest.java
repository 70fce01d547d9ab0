package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Where queues have to be known")
class StrictQueuesTest {

  private static final String NONE = "queue \"imges\" does not exist; known: images, mail";

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final CompletableFuture<Submission> child = new CompletableFuture<>();
  private final Handoff handoff =
      Handoff.on(actors.system())
          .store(new StoreSettings.Memory())
          .set("queues.strict", true)
          .set("queues.known", List.of("mail", "images"))
          .handler("echo", Json.class, (payload, job) -> payload)
          .handler(
              "parent",
              Json.class,
              (payload, job) -> {
                child.complete(BoundedWaits.get(job.submit(JobRequest.of("echo").queue("imges"))));
                return null;
              })
          .start();

  @AfterEach
  void close() {
    handoff.close();
  }

  @Test
  void aJobForAnotherOneIsRefused() {
    var answer = BoundedWaits.get(handoff.submit(JobRequest.of("echo").queue("imges")));

    assertThat(answer).isEqualTo(new Submission.Invalid(List.of(NONE)));
  }

  @Test
  void aJobForOneOfThemRuns() {
    var job = handoff.submitOrThrow(JobRequest.of("echo").queue("images"));

    assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void aChildForAnotherOneIsRefused() {
    handoff.submitOrThrow(JobRequest.of("parent").queue("mail"));

    assertThat(BoundedWaits.get(child)).isEqualTo(new Submission.Invalid(List.of(NONE)));
  }

  @Test
  void anotherOneCannotBePaused() {
    assertThatThrownBy(() -> BoundedWaits.get(handoff.queues().pause("imges")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(NONE);
  }

  @Test
  void oneThatIsNotKnownAnyMoreCanBeResumed(@TempDir Path directory) {
    JobId job;
    try (var before = engine(directory).start()) {
      BoundedWaits.get(before.queues().pause("old"));
      job = before.submitOrThrow(JobRequest.of("echo").queue("old")).id();
    }

    var settings = engine(directory).set("queues.strict", true).set("queues.known", List.of("new"));
    try (var after = settings.start()) {
      BoundedWaits.get(after.queues().resume("old"));

      assertThat(BoundedWaits.get(after.handle(job).result()))
          .isInstanceOf(Outcome.Succeeded.class);
    }
  }

  private static HandoffBuilder engine(Path directory) {
    return Handoff.builder()
        .directory(directory)
        .handler("echo", Json.class, (payload, job) -> payload);
  }
}
