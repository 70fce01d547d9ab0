package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.apply.DirectoryApplier;
import dev.handoff.internal.plan.apply.HaltingApplies;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.EngineHooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An apply from the command line that is stopped")
@EnabledOnOs(OS.LINUX)
class ApplyRunTest {

  @TempDir Path dir;
  private final CompletableFuture<Void> inTheMidst = new CompletableFuture<>();
  private final CompletableFuture<Void> goesOn = new CompletableFuture<>();
  private final CompletableFuture<String> stop = new CompletableFuture<>();
  private final List<String> said = new ArrayList<>();
  private Path site;
  private PlanInfo plan;

  @BeforeEach
  void runThePlan() throws IOException {
    site = Files.createDirectory(dir.resolve("site"));
    try (var handoff = engine(DirectoryApplier::new)) {
      var request = PlanRequest.of("plan").step("write", JobRequest.of("write", "x"));
      plan = BoundedWaits.get(handoff.plans().submitOrThrow(request).ended());
    }
  }

  private Handoff engine(Function<ContentReader, ApplyRunner.Work> applies) {
    return EngineHooks.ofThreeFiles(dir.resolve("data"), applies);
  }

  /// Engine whose apply pauses at a point until the engine is closed.
  private Handoff slow(String point) {
    return engine(
        contents ->
            new HaltingApplies(
                contents,
                HaltingApplies.Point.parse(point),
                HaltingApplies.NOTHING,
                () -> {
                  inTheMidst.complete(null);
                  goesOn.join();
                }));
  }

  /// Engine that starts after the first one was closed during its apply.
  private Handoff next() {
    goesOn.complete(null);
    BoundedWaits.until(
        "nothing is under way", () -> files().stream().noneMatch(n -> n.startsWith(".")));
    return engine(DirectoryApplier::new);
  }

  private List<String> files() {
    try (var entries = Files.list(site)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "write:write n:2 | 0 | nothing of it was applied to | again: handoff plan apply",
        "write:move n:2 | 3 | all of it was applied to | see it: handoff plan show"
      })
  void isUndoneOrFinishedAndSaysWhichOfThem(String point, int files, String words, String next) {
    var run = run(List.of(() -> slow(point), this::next));

    inTheMidst.thenRun(() -> stop.complete("INT"));
    var stopped =
        catchThrowableOfType(CommandFailedException.class, () -> run.run(stop, said::add));

    assertThat(stopped.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(stopped).hasMessageContaining("stopped by SIGINT; ");
    assertThat(stopped).hasMessageContaining(words + " " + site);
    assertThat(stopped).hasMessageContaining(next + " " + plan.id());
    assertThat(said).singleElement().asString().contains("another Ctrl-C stops at once");
    assertThat(files()).hasSize(files);
  }

  @Test
  void isNotBegunIfItWasStoppedBefore() {
    stop.complete("TERM");
    var run = run(List.of(() -> engine(DirectoryApplier::new)));

    var stopped =
        catchThrowableOfType(CommandFailedException.class, () -> run.run(stop, said::add));

    assertThat(stopped.exitCode()).isEqualTo(ExitCode.TERMINATED);
    assertThat(stopped).hasMessageContaining("nothing was begun");
    assertThat(files()).isEmpty();
  }

  @Test
  void saysThatItIsNotKnownWhatBecameOfItIfTheStoreCannotBeOpenedAgain() {
    var run =
        run(
            List.of(
                () -> slow("write:move n:2"),
                () -> {
                  throw new CommandFailedException(ExitCode.UNREACHABLE, "the store is away");
                }));

    inTheMidst.thenRun(() -> stop.complete("INT"));
    var stopped =
        catchThrowableOfType(CommandFailedException.class, () -> run.run(stop, said::add));
    goesOn.complete(null);

    assertThat(stopped.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(stopped).hasMessageContaining("is not known yet: the store is away");
    assertThat(stopped).hasMessageContaining("handoff plan apply " + plan.id());
    BoundedWaits.until("it has ended", () -> files().equals(List.of("a.txt", "b.txt", "c.txt")));
  }

  /// @param engines engines in sequence
  private ApplyRun run(List<Supplier<Handoff>> engines) {
    var left = new ArrayDeque<>(engines);
    return new ApplyRun(
        () -> left.remove().get(), plan, site, false, new NextCommand(plan.id(), " --data d", ""));
  }
}
