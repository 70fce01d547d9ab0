package dev.handoff.chaos;

import dev.handoff.chaos.ClientJournal.Line;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.Resolution;
import dev.handoff.testing.PlanStoreSamples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Checks the sites of plans. A site is recorded after each apply, and after each start that finds
/// an interrupted apply. Its files must equal the result of the plan's first N changesets, without
/// remainders, and N never decreases. Replies to the client must agree.
final class SiteFindings {

  /// State of a site up to a line of the journal.
  private static final class Known {
    int sets;
    int asked;
    String answer = "";
  }

  private final PlanStoreSamples stored;
  private final Map<String, Known> sites = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int finished;
  private int undone;

  private SiteFindings(PlanStoreSamples stored) {
    this.stored = stored;
  }

  static SiteFindings of(PlanEvidence evidence) {
    var findings = new SiteFindings(evidence.stored());
    evidence.jobs().journal().forEach(findings::tell);
    findings.end();
    return findings;
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  /// Number of interrupted applies that a later process finished.
  int finished() {
    return finished;
  }

  /// Number of interrupted applies that a later process undid.
  int undone() {
    return undone;
  }

  private void require(boolean holds, String violation, Object... details) {
    if (!holds) {
      violations.add("site: " + violation.formatted(details));
    }
  }

  private void tell(Line line) {
    switch (line.what()) {
      case SITE -> sites.put(line.word(0), new Known());
      case APPLY -> {
        var site = sites.get(line.word(0));
        site.asked = Integer.parseInt(line.word(1));
        site.answer = "";
      }
      case APPLY_ANSWER -> sites.get(line.word(0)).answer = line.word(1);
      case FOUND -> found(line);
      default -> {}
    }
  }

  private void found(Line line) {
    var site = sites.get(line.word(0));
    var plan = stored.plans().get(new PlanId(line.word(0)));
    int sets = Integer.parseInt(line.word(1));
    if (plan == null || plan.book().chain().size() < sets) {
      violations.add("site: " + line + ", which the plan does not have");
      return;
    }
    var wanted = ApplySite.look(after(plan, sets));
    require(
        wanted.equals(line.word(2)),
        "that of plan %s has %s, and %d changesets make it %s",
        plan.id(),
        without(line.word(2), wanted),
        sets,
        without(wanted, line.word(2)));
    require(
        isAsTold(site, sets),
        "that of plan %s: %d changesets after '%s' for %d, before %d",
        plan.id(),
        sets,
        site.answer,
        site.asked,
        site.sets);
    if (site.answer.isEmpty()) {
      finished += sets > site.sets ? 1 : 0;
      undone += sets > site.sets ? 0 : 1;
    }
    site.sets = sets;
  }

  /// Entries of the first list that are not in the second.
  private static List<String> without(String one, String other) {
    var files = new ArrayList<>(List.of(one.split(",")));
    files.removeAll(List.of(other.split(",")));
    return files;
  }

  private static boolean isAsTold(Known site, int sets) {
    return switch (site.answer) {
      // Further steps may have ended since the count.
      case "Applied", "AlreadyApplied" -> sets >= site.asked;
      case "Conflicted", "Undone", "NothingToApply" -> sets == site.sets;
      // The client has no answer.
      case "" -> sets == site.sets || sets >= site.asked;
      default -> false;
    };
  }

  private void end() {
    sites.forEach(
        (id, site) ->
            require(!site.answer.isEmpty(), "nobody knows of the last apply of plan %s", id));
  }

  /// Result of a plan's first changesets in its site: SHA-256 by path.
  private Map<String, String> after(PlanState plan, int sets) {
    var files = new TreeMap<String, String>();
    ApplySite.before(ChaosPlans.of(plan.spec().name()), steps(plan))
        .forEach((path, content) -> files.put(path, ApplySite.sha256(content)));
    var twice = new HashMap<String, List<ChangeEntry>>();
    for (var link : plan.book().chain().subList(0, sets)) {
      var body = stored.bodies().get(link.body());
      for (var entry : body == null ? List.<ChangeEntry>of() : body.entries()) {
        twice.computeIfAbsent(entry.path(), none -> new ArrayList<>()).add(entry);
      }
    }
    twice.forEach((path, entries) -> put(files, path, result(plan, path, entries)));
    return files;
  }

  private List<String> steps(PlanState plan) {
    var names = new ArrayList<String>();
    for (var step : plan.spec().steps()) {
      if (step.plan() == null) {
        names.add(step.name());
      } else {
        names.addAll(steps(stored.plans().get(step.plan())));
      }
    }
    return names;
  }

  private static void put(Map<String, String> files, String path, String sha256) {
    if (sha256 == null) {
      files.remove(path);
    } else {
      files.put(path, sha256);
    }
  }

  private static String result(PlanState plan, String path, List<ChangeEntry> entries) {
    if (entries.size() == 1) {
      return sha256(entries.getFirst().after());
    }
    if (path.equals(ApplySite.CLEAN)) {
      return ApplySite.sha256(ApplySite.TEXT.replace("one", "left").replace("seven", "right"));
    }
    return plan.book().resolutions().stream()
        .filter(resolution -> resolution.path().equals(path))
        .map(SiteFindings::chosen)
        .findFirst()
        .orElse("nobody has decided that");
  }

  private static String chosen(Resolution resolution) {
    return switch (resolution.choice()) {
      case OURS -> resolution.ours();
      case THEIRS -> resolution.theirs();
      case CONTENT -> sha256(Objects.requireNonNull(resolution.content()));
    };
  }

  private static String sha256(ContentRef content) {
    return content == null ? null : content.sha256();
  }
}
