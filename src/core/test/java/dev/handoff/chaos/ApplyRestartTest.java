package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.plan.ApplyOutcome;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.StartedApply;
import dev.handoff.internal.plan.apply.DirectoryApplier;
import dev.handoff.internal.plan.apply.HaltingApplies;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.EngineHooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An apply that outlives its engine")
@EnabledOnOs(OS.LINUX)
class ApplyRestartTest {

  @TempDir Path directory;
  private final CompletableFuture<Void> inTheMidst = new CompletableFuture<>();
  private final CompletableFuture<Void> goesOn = new CompletableFuture<>();
  private final CompletableFuture<Void> tried = new CompletableFuture<>();

  /// Apply that pauses at a point until the test continues it.
  private ApplyRunner.Work slow(ContentReader contents, String point) {
    return new HaltingApplies(
        contents,
        HaltingApplies.Point.parse(point),
        HaltingApplies.NOTHING,
        () -> {
          inTheMidst.complete(null);
          goesOn.join();
        });
  }

  /// Apply that reports its first attempt at recovery.
  private ApplyRunner.Work watched(ContentReader contents) {
    var work = new DirectoryApplier(contents);
    return new ApplyRunner.Work() {
      @Override
      public ApplyOutcome check(PlanState plan, String target) {
        return work.check(plan, target);
      }

      @Override
      public ApplyOutcome write(PlanState plan, StartedApply apply, CancellationToken stop) {
        return work.write(plan, apply, stop);
      }

      @Override
      public ApplyOutcome recover(PlanState plan, StartedApply apply) {
        try {
          return work.recover(plan, apply);
        } finally {
          tried.complete(null);
        }
      }
    };
  }

  private Handoff start(Function<ContentReader, ApplyRunner.Work> applies) {
    return EngineHooks.ofThreeFiles(directory.resolve("data"), applies);
  }

  private static boolean isUnderWay(PlanHandle plan) {
    return BoundedWaits.get(plan.info()).orElseThrow().applying().isPresent();
  }

  private static boolean isClean(Path site) {
    return files(site).stream().noneMatch(name -> name.startsWith("."));
  }

  private static List<String> files(Path site) {
    try (var entries = Files.list(site)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /// Pause between two staged files, or between two renames.
  @ParameterizedTest
  @CsvSource({"write:write n:2, Applied", "write:move n:2, AlreadyApplied"})
  void isLeftAloneByTheNextOneAndFoundOutAboutLater(String point, String answer) throws Exception {
    var site = Files.createDirectory(directory.resolve("site"));
    PlanId id;
    try (var first = start(contents -> slow(contents, point))) {
      var request = PlanRequest.of("plan").step("write", JobRequest.of("write"));
      var plan = first.plans().submitOrThrow(request);
      BoundedWaits.get(plan.result());
      plan.apply(site);
      BoundedWaits.get(inTheMidst);
      id = plan.id();
    }
    var between = files(site);

    try (var second = start(this::watched)) {
      BoundedWaits.get(tried);
      assertThat(isUnderWay(second.plans().plan(id))).isTrue();
      assertThat(files(site)).isEqualTo(between);
    }
    goesOn.complete(null);
    BoundedWaits.until("nothing of it is left", () -> isClean(site));

    try (var third = start(DirectoryApplier::new)) {
      var plan = third.plans().plan(id);
      BoundedWaits.until("it is found out about", () -> !isUnderWay(plan));
      boolean written = answer.equals("AlreadyApplied");
      assertThat(files(site)).hasSize(written ? 3 : 0);
      assertThat(BoundedWaits.get(plan.info()).orElseThrow().applied()).hasSize(written ? 1 : 0);
      assertThat(BoundedWaits.get(plan.apply(site)).getClass().getSimpleName()).isEqualTo(answer);
    }
    assertThat(files(site)).containsExactlyInAnyOrder("a.txt", "b.txt", "c.txt");
  }
}
