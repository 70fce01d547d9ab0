package dev.handoff.cli;

import dev.handoff.JobRequest;
import dev.handoff.cli.JobFile.BadLineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// Validates a whole job file before its first job is submitted.
final class FileCheck {

  /// Summary of a valid file.
  ///
  /// @param ownKeys number of jobs with an explicit key
  /// @param keys generator with the keys of the other jobs
  record Checked(long jobs, long ownKeys, LineKeys keys, Set<String> types) {}

  private static final int MOST_PROBLEMS = 20;
  private static final int EVERY = 10_000;

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> firstLineOfType = new TreeMap<>();
  private final Function<JobRequest, Optional<String>> misfit;
  private long jobs;
  private long ownKeys;
  private long badLines;

  private FileCheck(Function<JobRequest, Optional<String>> misfit) {
    this.misfit = misfit;
  }

  /// @param types known job types
  /// @param misfit validates the payload of a job
  /// @param progress receives the number of lines from time to time
  /// @return summary of the file
  /// @throws CommandFailedException names each invalid line, or the unknown types
  static Checked check(
      JobFile file,
      Set<String> types,
      Function<JobRequest, Optional<String>> misfit,
      LongConsumer progress)
      throws IOException {
    var check = new FileCheck(misfit);
    var keys = new LineKeys("");
    try (var reader = file.read(keys)) {
      while (check.readOne(reader)) {
        if ((check.jobs + check.badLines) % EVERY == 0) {
          progress.accept(check.jobs);
        }
      }
    }
    check.refuseBadLines();
    check.refuseUnknownTypes(types);
    return new Checked(check.jobs, check.ownKeys, keys, check.firstLineOfType.keySet());
  }

  private boolean readOne(JobFile.Reader reader) throws IOException {
    try {
      var job = reader.next();
      if (job == null) {
        return false;
      }
      misfit
          .apply(job.request())
          .ifPresentOrElse(problem -> bad(job.number(), List.of(problem)), () -> good(job));
    } catch (BadLineException bad) {
      bad(bad.line(), bad.problems());
    }
    return true;
  }

  private void good(JobFile.JobLine job) {
    jobs++;
    ownKeys += job.hasOwnKey() ? 1 : 0;
    firstLineOfType.putIfAbsent(job.request().type(), job.number());
  }

  private void bad(int line, List<String> ofIt) {
    badLines++;
    ofIt.forEach(problem -> note("line %d: %s".formatted(line, problem)));
  }

  private void note(String problem) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(problem);
    }
  }

  private void refuseBadLines() {
    if (badLines == 0) {
      return;
    }
    var text = new StringBuilder();
    text.append(
        "%d invalid line%s; nothing was accepted".formatted(badLines, badLines == 1 ? "" : "s"));
    problems.forEach(problem -> text.append("\n  ").append(TerminalText.line(problem)));
    if (problems.size() == MOST_PROBLEMS) {
      text.append("\n  (there may be more)");
    }
    throw new CommandFailedException(ExitCode.USAGE, text.toString());
  }

  private void refuseUnknownTypes(Set<String> known) {
    var unknown = new TreeMap<>(firstLineOfType);
    unknown.keySet().removeAll(known);
    if (unknown.isEmpty()) {
      return;
    }
    var text = new StringBuilder("these jobs cannot be run; nothing was accepted");
    unknown.forEach(
        (type, line) ->
            text.append(
                "\n  type %s (line %d): %s".formatted(type, line, WorkOptions.hint(type, known))));
    throw new CommandFailedException(ExitCode.REFUSED, text.toString());
  }
}
