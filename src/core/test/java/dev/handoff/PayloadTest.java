package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A payload that its handler does not take")
class PayloadTest {

  private static Handoff handoff;

  record Picture(String file, List<Integer> sizes) {
    Picture {
      if ("none".equals(file)) {
        throw new IllegalArgumentException("no such file");
      }
    }
  }

  private static final class Checked implements JobHandler.Checking<Picture> {
    @Override
    public void check(Picture picture) throws Exception {
      switch (picture.file()) {
        case "a.txt" -> throw new IOException("file a.txt is not a picture");
        case "deep" -> throw new StackOverflowError();
        case "slow" ->
            new CountDownLatch(1).await(BoundedWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        default -> {}
      }
    }

    @Override
    public Object handle(Picture picture, JobContext job) {
      return picture.file();
    }
  }

  @BeforeAll
  static void start() {
    handoff =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .partitions(1)
            .handler("picture", Picture.class, (picture, job) -> picture.file())
            .handler(
                "parent",
                Json.class,
                (child, job) ->
                    problems(BoundedWaits.get(job.submit(JobRequest.of("picture", child))))
                        .getFirst())
            .handler("nothing", Void.class, (nothing, job) -> nothing)
            .handler("anything", Object.class, (anything, job) -> anything)
            .handler("perhaps", Optional.class, (perhaps, job) -> perhaps)
            .handler("json", Json.class, (json, job) -> json)
            .handler("tree", JsonNode.class, (tree, job) -> tree)
            .handler("checked", Picture.class, new Checked())
            .handler("blocking", Picture.class, JobHandler.blocking(new Checked()))
            .start();
  }

  @AfterAll
  static void stop() {
    handoff.close();
  }

  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of(Map.of("fil", "a.png"), "payload.fil is not a field here; known: file, sizes"),
        Arguments.of("a.png", "payload does not fit: it must be an object"),
        Arguments.of(
            Map.of("sizes", List.of(1, "wide")),
            "payload.sizes[1] does not fit: it must be a whole number"),
        Arguments.of(Map.of("file", "none"), "payload cannot be read: "));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void isRefusedAtItsSubmissionWithThePlace(Object payload, String words) {
    var answer = BoundedWaits.get(handoff.submit(JobRequest.of("picture", payload)));

    assertThat(problems(answer))
        .singleElement()
        .asString()
        .startsWith(words)
        .doesNotContain("Source");
  }

  @Test
  void isRefusedWhereItIsMissing() {
    assertThat(problems(BoundedWaits.get(handoff.submit(JobRequest.of("picture")))))
        .containsExactly("payload is missing: it must be an object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "anything", "perhaps", "json", "tree"})
  void isNotMissedWhereNothingWillDo(String type) {
    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of(type))))
        .isInstanceOf(Submission.Accepted.class);
  }

  private static List<String> problems(Submission answer) {
    return ((Submission.Invalid) answer).problems();
  }

  @Test
  void isRefusedAsAChildToo() {
    var parent = handoff.submitOrThrow(JobRequest.of("parent", Map.of("fil", "a.png")));

    assertThat(BoundedWaits.get(parent.result()))
        .isEqualTo(
            new Outcome.Succeeded(
                Json.of("\"payload.fil is not a field here; known: file, sizes\"")));
  }

  @Test
  void isRefusedAsAStepOfAPlan() {
    var plan =
        PlanRequest.of("album")
            .step("good", JobRequest.of("picture", new Picture("a.png", List.of())))
            .step("bad", JobRequest.of("picture", Map.of("fil", "a.png")));

    assertThat(BoundedWaits.get(handoff.plans().submit(plan)))
        .isEqualTo(
            new PlanSubmission.Invalid(
                List.of("step bad: payload.fil is not a field here; known: file, sizes")));
  }

  @Test
  void endsTheStreamThatItIsIn() {
    var accepted =
        Source.from(List.of(Map.of("file", "a.png"), Map.of("fil", "b.png")))
            .map(payload -> JobRequest.of("picture", payload))
            .via(handoff.submitAll())
            .runWith(Sink.seq(), handoff.materializer());

    assertThatThrownBy(() -> BoundedWaits.get(accepted))
        .hasMessageContaining("payload.fil is not a field");
  }

  /// For example a job that another version accepted: a second attempt would read the same payload.
  @ParameterizedTest
  @MethodSource("misfits")
  void endsAJobThatIsThereAlreadyWithItsFirstAttempt(Object payload, String words)
      throws Exception {
    try (var home = StoreDirectory.of(StoreDirectory.Kind.FILE)) {
      JobId job;
      try (var before =
          Handoff.builder()
              .store(home.store())
              .workers(0)
              .handler("picture", Json.class, (p, j) -> p)
              .start()) {
        job = before.submitOrThrow(JobRequest.of("picture", payload)).id();
      }
      try (var after =
          Handoff.builder()
              .store(home.store())
              .handler("picture", Picture.class, (picture, running) -> picture.file())
              .start()) {
        var failed = (Outcome.Failed) BoundedWaits.get(after.handle(job).result());

        assertThat(failed.error().message()).startsWith(words).doesNotContain("Source");
        assertThat(BoundedWaits.get(after.handle(job).status()).attempt()).isEqualTo(1);
      }
    }
  }

  static Stream<Arguments> refused() {
    return Stream.concat(
        misfits(),
        Stream.of(
            Arguments.of(Map.of("file", "a.txt"), "payload: file a.txt is not a picture"),
            Arguments.of(Map.of("file", "deep"), "payload: null"),
            Arguments.of(null, "payload: ")));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefusedAtItsSubmissionWhereTheHandlerLooksAtIt(Object payload, String words) {
    var answer = BoundedWaits.get(handoff.submit(JobRequest.of("checked", payload)));

    assertThat(answer)
        .isInstanceOfSatisfying(
            Submission.Invalid.class,
            invalid -> assertThat(invalid.problems()).singleElement().asString().startsWith(words));
  }

  @Test
  void isRefusedByAHandlerThatRunsOnPlatformThreads() {
    var request = JobRequest.of("blocking", Map.of("file", "a.txt"));

    assertThat(BoundedWaits.get(handoff.submit(request)))
        .isEqualTo(new Submission.Invalid(List.of("payload: file a.txt is not a picture")));
  }

  /// A handler that has to stop is interrupted only once, even while it submits a child.
  @Test
  void leavesItsThreadInterruptedIfThatIsWhyItWasNotLookedAt() {
    Thread.currentThread().interrupt();

    var answer = handoff.submit(JobRequest.of("checked", Map.of("file", "slow")));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(BoundedWaits.get(answer)).isInstanceOf(Submission.Invalid.class);
  }

  @Test
  void isOneOfManyThatItDoes() {
    var job = handoff.submitOrThrow(JobRequest.of("checked", new Picture("a.png", List.of())));

    assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Succeeded.class);
  }
}
