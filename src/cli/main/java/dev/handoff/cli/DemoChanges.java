package dev.handoff.cli;

import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.ResolveAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Demo act that resolves, shows and applies the changes of the plan.
final class DemoChanges {

  private final DemoStage stage;
  private final DemoVoice voice;
  private final Screen screen;
  private final DemoSite site;

  DemoChanges(DemoStage stage, DemoVoice voice, Screen screen, DemoSite site) {
    this.stage = stage;
    this.voice = voice;
    this.screen = screen;
    this.site = site;
  }

  /// @param ended the ended plan
  /// @return expectations for the plan
  DemoPlanRole play(PlanInfo ended) throws InterruptedException, IOException {
    var plan = stage.handoff().plans().plan(ended.id());
    boolean isApplied = site.takesPlans();
    voice.title("What the plan comes to: a conflict, a diff, and files.");
    conflict(plan, ended, isApplied);
    diff(plan);
    if (isApplied) {
      apply(plan);
    } else {
      voice.tell("Here is no way to write it safely: that needs handles for directories, as");
      voice.tell("Linux has them. git apply takes the diff.");
    }
    var head = verify(plan);
    return isApplied
        ? new DemoPlanRole(ended.id(), head, 1, DemoSite.AFTER)
        : new DemoPlanRole(ended.id(), head, 0, DemoSite.BEFORE);
  }

  private void conflict(PlanHandle plan, PlanInfo ended, boolean isApplied)
      throws InterruptedException {
    var conflicts = stage.await(plan.conflicts());
    check(
        conflicts.stream().map(PlanConflict::path).toList().equals(List.of(DemoSite.INDEX)),
        "in conflict are " + conflicts);
    if (isApplied) {
      var early = stage.await(plan.check(site.directory()));
      check(early instanceof ApplyAnswer.Conflicted, "the check before was answered with " + early);
    }
    voice.tell("Two steps have written another headline. That keeps the plan from being");
    voice.tell("applied until somebody decides: for one side, or for something else.");
    for (var conflict : conflicts) {
      voice.tell(table(conflict, ended));
    }
    var together = DemoSite.AFTER.get(DemoSite.INDEX);
    var answer =
        stage.await(
            plan.resolve(DemoSite.INDEX, together.getBytes(StandardCharsets.UTF_8), "demo"));
    if (check(
        answer instanceof ResolveAnswer.Resolved(var path, var left) && left.isEmpty(),
        "the decision was answered with " + answer)) {
      voice.done("decided: " + headline(together));
    }
  }

  private String table(PlanConflict conflict, PlanInfo ended) {
    var entry = conflict.entry();
    var why = entry.why().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    var table = new TextTable(List.of("CONFLICT", entry.path() + ": " + why, "STEP"));
    row(table, "ancestor", conflict.ancestor(), "");
    row(table, "ours", conflict.ours(), step(ended, entry.oursFrom()));
    row(table, "theirs", conflict.theirs(), step(ended, entry.theirsFrom()));
    return table.draw(screen);
  }

  private static void row(TextTable table, String side, Optional<byte[]> content, String step) {
    var text = content.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
    table.row(TextTable.cell(side), TextTable.cell(headline(text)), TextTable.cell(step));
  }

  /// Name of the step that made a changeset.
  private static String step(PlanInfo plan, String changeset) {
    return plan.changesets().stream()
        .filter(set -> set.id().equals(changeset))
        .map(set -> set.step().orElse(""))
        .findFirst()
        .orElse("");
  }

  private static String headline(String page) {
    return page.lines().filter(line -> line.contains("<h1>")).findFirst().orElse("");
  }

  private void diff(PlanHandle plan) throws InterruptedException {
    var diff = stage.await(plan.diff());
    voice.tell("What all steps have changed, as a diff that git apply takes. It begins with:");
    voice.tell(DiffPrinter.of(first(diff), screen));
    voice.done("in all " + DiffPrinter.counts(diff.report().counts()));
  }

  /// Diff reduced to its first file.
  private static PlanDiff first(PlanDiff diff) {
    int second = diff.text().indexOf("\ndiff --git", 1);
    var text = diff.text().substring(0, second < 0 ? diff.text().length() : second + 1);
    return new PlanDiff(text, diff.report(), diff.conflicts());
  }

  private void apply(PlanHandle plan) throws InterruptedException {
    voice.tell("Nothing is written so far. Now all of it is, or nothing, after a check:");
    var possible = stage.await(plan.check(site.directory()));
    check(possible instanceof ApplyAnswer.Possible, "the check was answered with " + possible);
    var answer = stage.await(plan.apply(site.directory()));
    if (answer instanceof ApplyAnswer.Applied(var target, var files)) {
      voice.done("applied %s to %s".formatted(PlanText.count(files.size(), "file"), target));
    }
    check(answer instanceof ApplyAnswer.Applied, "the apply was answered with " + answer);
    var again = stage.await(plan.apply(site.directory()));
    if (check(
        again instanceof ApplyAnswer.AlreadyApplied,
        "the second apply was answered with " + again)) {
      voice.done("applied once more, it changes nothing: all of it is there");
    }
  }

  /// @return head of the hash chain; null if it was altered
  private @Nullable String verify(PlanHandle plan) throws InterruptedException {
    var verdict = stage.await(plan.verify());
    voice.tell("Changesets are a chain of hashes. All of it is read again, to the last byte:");
    if (verdict instanceof ChainVerdict.Intact(int sets, int changes, int contents, var head)) {
      voice.done(
          "intact: %s, %s"
              .formatted(PlanText.count(sets, "changeset"), PlanText.count(changes, "change")));
      voice.tell("  head " + head);
      return head;
    }
    voice.tell(PlanVerifyCommand.text(verdict, screen));
    return null;
  }

  /// @return `holds`
  private boolean check(boolean holds, String problem) {
    voice.check(holds, TerminalText.brief(problem, 300));
    return holds;
  }
}
