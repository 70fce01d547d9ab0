package dev.handoff.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.DiffReport;
import dev.handoff.plan.FileDiff;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.ResolveAnswer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// JSON form of a plan's changes and their answers, as the command line prints it.
public final class ChangesJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ChangesJson() {}

  /// Diff with its text.
  public static ObjectNode write(PlanDiff diff) {
    var json = NODES.objectNode();
    var files = json.putArray("files");
    diff.report().files().forEach(file -> files.add(file(file)));
    json.set("counts", counts(diff.report().counts()));
    var conflicts = json.putArray("conflicts");
    diff.conflicts().forEach(conflict -> conflicts.add(write(conflict)));
    json.put("text", diff.text());
    return json;
  }

  private static ObjectNode file(FileDiff file) {
    var json = NODES.objectNode();
    json.put("path", file.path());
    json.put("change", label(file.kind()));
    json.put("added", file.added());
    json.put("removed", file.removed());
    json.put("binary", file.binary());
    json.put("coarse", file.coarse());
    json.set("before", content(file.before()));
    json.set("after", content(file.after()));
    return json;
  }

  /// Counts of differing files and lines.
  public static ObjectNode counts(DiffReport.Counts counts) {
    return NODES
        .objectNode()
        .put("files", counts.files())
        .put("created", counts.created())
        .put("modified", counts.modified())
        .put("deleted", counts.deleted())
        .put("added", counts.added())
        .put("removed", counts.removed());
  }

  /// Conflict with the hashes of its contents.
  public static ObjectNode write(PlanConflict.Entry conflict) {
    var json = NODES.objectNode();
    json.put("path", conflict.path());
    json.put("why", label(conflict.why()));
    json.set("ancestor", content(conflict.ancestor()));
    json.set("ours", content(conflict.ours()));
    json.set("theirs", content(conflict.theirs()));
    json.put("oursFrom", conflict.oursFrom());
    json.put("theirsFrom", conflict.theirsFrom());
    return json;
  }

  private static @Nullable JsonNode content(@Nullable ContentRef ref) {
    return ref == null
        ? null
        : NODES.objectNode().put("sha256", ref.sha256()).put("bytes", ref.bytes());
  }

  /// Result of an apply or a dry run.
  public static ObjectNode write(ApplyAnswer answer) {
    var json = NODES.objectNode();
    switch (answer) {
      case ApplyAnswer.Applied(var target, var files) -> files(json, "applied", target, files);
      case ApplyAnswer.Possible(var target, var files) -> files(json, "possible", target, files);
      case ApplyAnswer.Conflicted(var target, var problems) -> {
        json.put("outcome", "conflicted").put("target", target);
        var array = json.putArray("problems");
        problems.forEach(problem -> array.add(problem(problem)));
      }
      case ApplyAnswer.AlreadyApplied(var target, var apply) -> {
        json.put("outcome", "already-applied").put("target", target);
        json.put("at", apply.map(one -> JobJson.text(one.at())).orElse(null));
      }
      case ApplyAnswer.NothingToApply none -> json.put("outcome", "nothing-to-apply");
      case ApplyAnswer.Undone(var target, var reason, boolean isAsBefore) ->
          json.put("outcome", "undone")
              .put("target", target)
              .put("reason", reason)
              .put("asBefore", isAsBefore);
      case ApplyAnswer.Busy(var target) -> json.put("outcome", "busy").put("target", target);
      case ApplyAnswer.NotPossible(var reason) ->
          json.put("outcome", "not-possible").put("reason", reason);
      case ApplyAnswer.NotFound none -> json.put("outcome", "not-found");
      case ApplyAnswer.Unavailable(var reason, var retryAfter) ->
          json.put("outcome", "unavailable").put("reason", reason);
    }
    return json;
  }

  private static void files(
      ObjectNode json, String outcome, String target, List<ApplyAnswer.File> files) {
    json.put("outcome", outcome).put("target", target);
    var array = json.putArray("files");
    files.forEach(
        file ->
            array
                .addObject()
                .put("path", file.path())
                .put("change", file.what())
                .put("bytes", file.bytes()));
  }

  private static ObjectNode problem(ApplyAnswer.Problem problem) {
    var json = NODES.objectNode();
    json.put("path", problem.path());
    json.put("found", problem.found());
    json.put("ancestor", problem.ancestor());
    json.put("ours", problem.ours());
    json.put("theirs", problem.theirs());
    problem.steps().forEach(json.putArray("steps")::add);
    return json;
  }

  /// Result of an integrity check.
  public static ObjectNode write(ChainVerdict verdict) {
    var json = NODES.objectNode();
    switch (verdict) {
      case ChainVerdict.Intact(int sets, int entries, int contents, var head) ->
          json.put("intact", true)
              .put("changesets", sets)
              .put("changes", entries)
              .put("contents", contents)
              .put("head", head);
      case ChainVerdict.Altered(var changeset, var label, var entry, var path, var what) ->
          json.put("intact", false)
              .put("changeset", changeset)
              .put("label", label)
              .put("change", entry)
              .put("path", path)
              .put("what", what);
    }
    return json;
  }

  /// Result of a plan cancel.
  public static ObjectNode write(PlanCancelReport report) {
    var json = NODES.objectNode();
    json.put("id", report.plan().value());
    switch (report) {
      case PlanCancelReport.Cancelled over -> {
        json.put("status", "cancelled");
        json.put("reason", over.reason());
        over.stopped().forEach(json.putArray("stopped")::add);
        over.finished().forEach(json.putArray("finished")::add);
        over.failed().forEach(json.putArray("failed")::add);
        over.neverRan().forEach(json.putArray("neverRan")::add);
        over.abandoned().forEach(json.putArray("abandoned")::add);
        over.kept().stream().map(ChangesetInfo::id).forEach(json.putArray("kept")::add);
      }
      case PlanCancelReport.Already(var plan, var status) -> json.put("status", status.label());
      case PlanCancelReport.NotFound none -> json.putNull("status");
    }
    return json;
  }

  /// Answer to a decision about a conflict.
  public static ObjectNode write(ResolveAnswer answer) {
    var json = NODES.objectNode();
    switch (answer) {
      case ResolveAnswer.Resolved(var path, var left) -> {
        json.put("outcome", "resolved").put("path", path);
        left.forEach(json.putArray("left")::add);
      }
      case ResolveAnswer.NoConflict(var path, var others) -> {
        json.put("outcome", "no-conflict").put("path", path);
        others.forEach(json.putArray("left")::add);
      }
      case ResolveAnswer.NotPossible(var reason) ->
          json.put("outcome", "not-possible").put("reason", reason);
      case ResolveAnswer.NotFound none -> json.put("outcome", "not-found");
      case ResolveAnswer.Unavailable(var reason, var retryAfter) ->
          json.put("outcome", "unavailable").put("reason", reason);
    }
    return json;
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
