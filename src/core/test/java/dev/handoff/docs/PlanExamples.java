package dev.handoff.docs;

import static dev.handoff.plan.PlanRequest.after;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.HandoffReader;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.StoreSettings;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.Capture;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.Resolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Examples quoted in `docs/plans.md`.
public final class PlanExamples {

  private PlanExamples() {}

  // #submit
  static PlanHandle submit(Handoff handoff) {
    var look =
        PlanRequest.of("look")
            .step("colours", JobRequest.of("style", "colours"))
            .step("fonts", JobRequest.of("style", "fonts"), after("colours"));
    return handoff
        .plans()
        .submitOrThrow(
            PlanRequest.of("site")
                .step("home", JobRequest.of("page", "home"))
                .step("news", JobRequest.of("page", "news").maxAttempts(5))
                .plan("look", look)
                .step("index", JobRequest.of("index"), after("home", "news", "look"))
                .maxParallel(3)
                .deadline(Duration.ofMinutes(10)));
  }

  // #submit

  // #end
  static String end(PlanHandle plan) {
    return switch (plan.result().toCompletableFuture().join()) {
      case PlanOutcome.Succeeded done -> "done";
      case PlanOutcome.Failed(var id, var reason, var failures) -> "failed: " + failures.keySet();
      case PlanOutcome.Cancelled(var id, var reason, var by) -> by + " cancelled it: " + reason;
    };
  }

  // #end

  // #cancel
  static String cancel(PlanHandle plan) {
    var cancelling = plan.cancel("nobody wants it any more", "anna");
    cancelling.requested().toCompletableFuture().join(); // durable: it cannot be lost
    return switch (cancelling.ended().toCompletableFuture().join()) {
      case PlanCancelReport.Cancelled all ->
          "stopped %s, kept %d changesets".formatted(all.stopped(), all.kept().size());
      case PlanCancelReport.Already(var id, var status) -> "it had " + status.label();
      case PlanCancelReport.NotFound(var id) -> "there is no plan " + id;
    };
  }

  // #cancel

  // #attempt
  static String page(String name, JobContext job) {
    var change = Change.create("pages/" + name + ".html", "<h1>" + name + "</h1>\n");
    job.changes().record(change).toCompletableFuture().join().orThrow();
    job.decide("Pages are plain HTML, one file each.");
    return name;
  }

  // #attempt

  // #capture
  static HandoffBuilder tool(HandoffBuilder builder, Path site) {
    return builder.handler("lint", String.class, Capture.of(site).handler(PlanExamples::lint));
  }

  static String lint(String page, JobContext job, Path directory) throws IOException {
    var file = directory.resolve(page);
    Files.writeString(file, Files.readString(file).replace("\t", "  "));
    return "linted";
  }

  // #capture

  // #changeset
  static ChangeAnswer edit(PlanHandle plan) {
    var changeset = plan.startChangeset("a typo", "anna").toCompletableFuture().join().orThrow();
    var change = Change.modify("pages/news.html", "<h1>Nwes</h1>\n", "<h1>News</h1>\n");
    var answer = plan.record(changeset, change).toCompletableFuture().join();
    plan.close(changeset).toCompletableFuture().join().orThrow();
    return answer;
  }

  // #changeset

  // #apply
  public static String apply(PlanHandle plan, Path target) {
    for (var conflict : plan.conflicts().toCompletableFuture().join()) {
      plan.resolve(conflict.path(), Resolution.Choice.THEIRS, "anna").toCompletableFuture().join();
    }
    return switch (plan.apply(target).toCompletableFuture().join()) {
      case ApplyAnswer.Applied(var path, var files) -> files.size() + " files are in " + path;
      case ApplyAnswer.Possible check -> "only after check(…)";
      case ApplyAnswer.AlreadyApplied already -> "all of it is there already";
      case ApplyAnswer.NothingToApply none -> "the plan has changed nothing";
      case ApplyAnswer.Conflicted(var path, var problems) -> "nothing written: " + problems;
      case ApplyAnswer.Undone(var path, var reason, boolean same) -> "nothing written: " + reason;
      case ApplyAnswer.Busy(var path) -> "it is being applied to " + path;
      case ApplyAnswer.NotPossible(var reason) -> "not possible: " + reason;
      case ApplyAnswer.NotFound(var id) -> "there is no plan " + id;
      case ApplyAnswer.Unavailable(var reason, var after) -> "ask again in " + after;
    };
  }

  // #apply

  // #verify
  public static String verify(PlanHandle plan) {
    return switch (plan.verify().toCompletableFuture().join()) {
      case ChainVerdict.Intact(int sets, int entries, int contents, var head) ->
          "intact, head " + head;
      case ChainVerdict.Altered altered -> "altered: " + altered.what();
    };
  }

  // #verify

  // #read
  public static String read(Path data, PlanId plan) {
    try (var reader = HandoffReader.open(new StoreSettings.File(data))) {
      return reader.diff(plan).map(PlanDiff::text).orElse("there is no plan " + plan);
    }
  }
  // #read
}
