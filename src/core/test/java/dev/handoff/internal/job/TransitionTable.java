package dev.handoff.internal.job;

import dev.handoff.testing.TransitionIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Generates `docs/transitions.md` from the rules: the result of each command in each situation.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.internal.job.TransitionTable"
/// ```
final class TransitionTable {

  static final Path FILE = Path.of("docs", "transitions.md");

  private TransitionTable() {}

  public static void main(String[] args) throws IOException {
    Files.writeString(FILE, text());
  }

  static String saved() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text() {
    var text = new StringBuilder(INTRODUCTION).append(index());
    JobSituations.commands(JobSituations.queued())
        .keySet()
        .forEach(
            command -> {
              text.append("\n## ").append(command).append("\n\n");
              text.append("| in | facts | answer | then |\n|---|---|---|---|\n");
              rows(command).forEach(text::append);
            });
    return text.toString();
  }

  private static String index() {
    return TransitionIndex.of(
        JobSituations.situations().keySet(),
        JobSituations.commands(JobSituations.queued()).keySet(),
        (situation, command) -> {
          var job = JobSituations.situations().get(situation);
          var decision = JobSituations.decide(job, JobSituations.commands(job).get(command));
          return decision.facts().isEmpty()
              ? ""
              : JobSituations.after(job, decision).status(JobSituations.NOW).label();
        });
  }

  private static List<String> rows(String command) {
    return JobSituations.situations().entrySet().stream()
        .map(situation -> row(situation.getKey(), situation.getValue(), command))
        .toList();
  }

  private static String row(String situation, JobState job, String command) {
    var decision = JobSituations.decide(job, JobSituations.commands(job).get(command));
    var after = JobSituations.after(job, decision);
    var facts =
        decision.facts().isEmpty()
            ? "–"
            : decision.facts().stream()
                .map(TransitionTable::told)
                .collect(Collectors.joining(", "));
    var then = decision.facts().isEmpty() ? "–" : status(after);
    return "| %s | %s | %s | %s |%n"
        .formatted(situation, facts, told(decision.verdict()), then)
        .replace(System.lineSeparator(), "\n");
  }

  private static String told(JobFact fact) {
    var name = "`" + fact.getClass().getSimpleName() + "`";
    return switch (fact) {
      case JobFact.Returned(int attempt, var cause, var notes, var at) ->
          name + " " + cause.label();
      case JobFact.RetryScheduled(var end, var due) -> name + " " + told(end);
      case JobFact.Failed(var end) -> name + " " + told(end);
      case JobFact.AttemptStopped(var end) -> name + " " + told(end);
      case JobFact.Cancelled over ->
          name + (over.abandoned() ? " abandoned" : "") + (over.discarded() ? " discarded" : "");
      default -> name;
    };
  }

  private static String told(JobFact.AttemptEnd end) {
    return end.cause().label()
        + (end.abandoned() ? " abandoned" : "")
        + (end.discarded() ? " discarded" : "");
  }

  private static String told(CommandVerdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String status(JobState job) {
    var status = job.status(JobSituations.NOW).label();
    return job.phase() instanceof JobPhase.Pending
        ? "%s, %d of %d starts used"
            .formatted(status, job.starts(), job.spec().options().maxAttempts())
        : status;
  }

  private static final String INTRODUCTION =
      """
      # Transitions

      What each command leads to in each situation of a job: the facts that are written, what whoever sent it is
      answered once they are durable, and the status that the job has then. A dash means that nothing is written and
      nothing changes. Every command is answered in every situation.

      Made from the rules in `dev.handoff.internal.job.JobTransitions`; a test fails when this file differs from them. To write it
      anew: `./sbt "core/Test/runMain dev.handoff.internal.job.TransitionTable"`.

      The jobs have three starts and wait 5 s after a failure, unless the situation says otherwise. A command that
      carries an attempt names the job's last one, unless it says otherwise.
      """;
}
