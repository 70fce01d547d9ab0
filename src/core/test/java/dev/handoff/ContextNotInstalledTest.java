package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Embedder;
import dev.handoff.context.Fragment;
import dev.handoff.context.NotAssembledException;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.testing.BoundedWaits;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The class path of this module's tests has no `handoff-context`.
@DisplayName("An engine without context assembly")
class ContextNotInstalledTest {

  private static final String ARTIFACT = "dev.handoff:handoff-context";
  private static final ContextRequest REQUEST = ContextRequest.of("claims", Path.of("."));

  private static HandoffBuilder memory() {
    return Handoff.builder().store(new StoreSettings.Memory());
  }

  @Test
  void startsAndIsReady() {
    try (var handoff = memory().start()) {
      assertThat(BoundedWaits.get(handoff.health()).ready()).isTrue();
    }
  }

  @Test
  void namesTheLibraryToAdd() {
    try (var handoff = memory().start()) {
      var answer = BoundedWaits.get(handoff.assemble(REQUEST));

      assertThat(answer).isEqualTo(new ContextAnswer.NotInstalled(ARTIFACT));
      assertThatExceptionOfType(NotAssembledException.class)
          .isThrownBy(answer::orThrow)
          .withMessage("context assembly is not installed: add the library " + ARTIFACT);
    }
  }

  @Test
  void namesItToAHandler() {
    try (var handoff =
        memory()
            .handler("ask", Json.class, (none, job) -> BoundedWaits.get(job.context(REQUEST)))
            .start()) {
      var outcome = BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("ask", "?")).result());

      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Succeeded.class,
              done -> assertThat(done.value().toString()).contains(ARTIFACT));
    }
  }

  @Test
  void refusesStrategiesPartsAndEmbedders() {
    assertThatIllegalStateException()
        .isThrownBy(() -> memory().strategy(new Nothing()))
        .withMessage(
            "a context strategy needs context assembly, which is not installed: add the library "
                + ARTIFACT);
    assertThatIllegalStateException()
        .isThrownBy(() -> memory().contextParts(PipelineParts.NONE))
        .withMessageEndingWith(ARTIFACT);
    assertThatIllegalStateException()
        .isThrownBy(() -> memory().contextParts("site", PipelineParts.NONE))
        .withMessageEndingWith(ARTIFACT);
    assertThatIllegalStateException()
        .isThrownBy(() -> memory().embedder(new Nowhere()))
        .withMessageEndingWith(ARTIFACT);
  }

  @Test
  void refusesSettingsOfContexts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> memory().set("context.timeout", "1s"))
        .withMessage(
            "handoff.context.timeout is a setting of context assembly, which is not installed: add"
                + " the library "
                + ARTIFACT);
  }

  private static final class Nothing implements Strategy {
    @Override
    public String name() {
      return "nothing";
    }

    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return 0;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      throw new AssertionError("it is never called");
    }
  }

  private static final class Nowhere implements Embedder {
    @Override
    public String id() {
      return "nowhere";
    }

    @Override
    public int dimensions() {
      return 1;
    }

    @Override
    public float[] embed(String text) {
      return new float[] {1};
    }
  }
}
