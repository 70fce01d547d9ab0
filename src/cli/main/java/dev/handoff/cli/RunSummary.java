package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Summary of a run.
///
/// @param stop reason of an early stop; null if complete
/// @param hints follow-up commands
record RunSummary(RunCounts counts, @Nullable RunStop stop, Duration elapsed, RunHints hints) {

  private static final int MOST_NAMED = 3;

  int exitCode() {
    if (stop != null && !(stop instanceof RunStop.Signal && unfinished() == 0)) {
      return stop.exitCode();
    }
    if (counts.refused() > 0) {
      return ExitCode.REFUSED;
    }
    return counts.failed() + counts.cancelled() > 0 ? ExitCode.FAILED : ExitCode.OK;
  }

  String text() {
    var lines = new ArrayList<String>();
    stopped(lines);
    lines.add(headline());
    if (counts.known() > 0) {
      lines.add(earlier());
    }
    counts.examples().forEach(example -> lines.add("  " + line(example)));
    if (counts.examples().size() < counts.failed() + counts.cancelled() + counts.refused()) {
      lines.add("  … (%s shows all that failed)".formatted(hints.failures()));
    }
    if (counts.failed() > 0) {
      lines.add("try again what failed: " + hints.retry(failed()));
    }
    if (allEndedEarlier()) {
      lines.addAll(onceMore());
    }
    next().ifPresent(command -> lines.add("go on: " + command));
    return String.join("\n", lines) + "\n";
  }

  private String headline() {
    if (counts.total() == 0 && hints.file().equals(Optional.of(""))) {
      return "no jobs were left in the store";
    }
    return "%d job%s: %s  (%s)"
        .formatted(
            counts.total(),
            counts.total() == 1 ? "" : "s",
            String.join(", ", parts()),
            Durations.format(elapsed));
  }

  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("jobs", counts.total());
    json.put("accepted", counts.accepted());
    json.put("acceptedEarlier", counts.known());
    json.put("endedEarlier", counts.endedEarlier());
    json.put("succeeded", counts.succeeded());
    json.put("failed", counts.failed());
    json.put("cancelled", counts.cancelled());
    json.put("refused", counts.refused());
    json.put("unfinished", unfinished());
    json.put("retried", counts.retried());
    json.put("retries", counts.retries());
    json.put("seconds", elapsed.toMillis() / 1000.0);
    json.put("stopped", stop == null ? null : stop.label());
    json.put("run", hints.run().isEmpty() ? null : hints.run());
    json.put("next", next().orElse(null));
    json.put("exitCode", exitCode());
    var examples = json.putArray("examples");
    for (var example : counts.examples()) {
      examples
          .addObject()
          .put("line", example.line())
          .put("id", example.id().isEmpty() ? null : example.id())
          .put("outcome", example.what())
          .put("reason", example.reason());
    }
    return json;
  }

  private String earlier() {
    var accepted = "%d of them had been accepted before".formatted(counts.known());
    if (counts.endedEarlier() == 0) {
      return accepted;
    }
    return counts.endedEarlier() < counts.total()
        ? accepted + ", %d had ended in an earlier run".formatted(counts.endedEarlier())
        : "all had ended in an earlier run"
            + (counts.succeeded() == counts.total() ? ": nothing was left to do" : "");
  }

  /// Ids of the failed jobs if they are few; otherwise empty.
  private List<String> failed() {
    var known =
        counts.examples().stream()
            .filter(example -> example.what().equals("failed"))
            .map(RunCounts.Example::id)
            .toList();
    return known.size() == counts.failed() && known.size() <= MOST_NAMED ? known : List.of();
  }

  private boolean allEndedEarlier() {
    return counts.total() > 0 && counts.endedEarlier() == counts.total();
  }

  private List<String> onceMore() {
    if (counts.ownKeys() == counts.total()) {
      return List.of("each line has a key, which says that it runs once");
    }
    var lines = new ArrayList<String>();
    lines.add(
        hints
            .again()
            .map("run all of them once more: "::concat)
            .orElse("with --again all of them run once more"));
    if (counts.ownKeys() > 0) {
      lines.add(
          "(not the %d that %s a key, which says that it runs once)"
              .formatted(counts.ownKeys(), counts.ownKeys() == 1 ? "has" : "have"));
    }
    return lines;
  }

  /// Command that continues a stopped run.
  private Optional<String> next() {
    return stop == null || unfinished() == 0 ? Optional.empty() : hints.goOn();
  }

  private void stopped(List<String> lines) {
    switch (stop) {
      case null -> {}
      case RunStop.MaxFailures(long most) ->
          lines.add("stopped after %d failed jobs; %s".formatted(counts.failedNow(), rest()));
      case RunStop.Signal(var signal) ->
          lines.add("stopped by SIG%s; %s".formatted(signal, rest()));
      case RunStop.Broken(var reason) -> lines.add("stopped: " + TerminalText.line(reason));
    }
  }

  private String rest() {
    long left = unfinished();
    return left == 0
        ? "nothing was left to do"
        : "%d job%s left for the next run with the same store"
            .formatted(left, left == 1 ? " is" : "s are");
  }

  private List<String> parts() {
    var parts = new ArrayList<String>();
    parts.add(counts.succeeded() + " succeeded");
    add(parts, counts.failed(), "failed");
    add(parts, counts.cancelled(), "cancelled");
    add(parts, counts.refused(), "refused");
    add(parts, unfinished(), "not finished");
    add(parts, counts.retried(), "needed more than one attempt");
    return parts;
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private static String line(RunCounts.Example example) {
    return "%s%s%s: %s"
        .formatted(
            example.line() == RunEvent.NO_LINE ? "" : "line %d: ".formatted(example.line()),
            example.what(),
            example.id().isEmpty() ? "" : " (" + example.id() + ")",
            TerminalText.brief(example.reason(), 160));
  }

  private long unfinished() {
    return counts.total() - counts.done();
  }
}
