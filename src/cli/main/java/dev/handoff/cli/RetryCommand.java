package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.RetryAnswer;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.plan.PlanId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `retry`: reopens failed or cancelled jobs of a store.
@Command(
    name = "retry",
    description = {
      "Reopens jobs that failed or were cancelled; handoff run runs them.",
      "",
      "They are queued again, with all of their attempts. No"
          + " engine may have the store open. Steps are retried with their plan: handoff plan"
          + " retry."
    })
final class RetryCommand implements Callable<Integer> {

  /// Outcome for one job.
  private record Answer(String id, String outcome, String reason, int exitCode) {}

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID", arity = "0..*", description = "The ids of the jobs.")
  private Set<String> ids = new LinkedHashSet<>();

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "All jobs with this status: failed or cancelled.")
  private @Nullable String status;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  RetryCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var answers = new ArrayList<Answer>();
    var jobs = ids.isEmpty() == (status == null) ? misused() : look(answers);
    if (!jobs.isEmpty()) {
      try (var handoff = store.own()) {
        jobs.forEach(job -> answers.add(retry(handoff, job)));
      }
    }
    print(answers, opened(answers, jobs));
    return answers.stream()
        .mapToInt(Answer::exitCode)
        .reduce(ExitCode.OK, (worst, next) -> Math.max(worst, next));
  }

  private List<JobInfo> misused() {
    throw misuse("name either the ids of jobs, or --status failed");
  }

  /// Jobs eligible for a retry; answers for the other ids are added.
  private List<JobInfo> look(List<Answer> answers) {
    var wanted = status == null ? null : statusOf(status);
    var jobIds = ids.stream().map(this::id).toList();
    try (var reader = store.read()) {
      return wanted != null
          ? all(reader, wanted)
          : jobIds.stream().flatMap(id -> found(reader, id, answers).stream()).toList();
    }
  }

  private static List<JobInfo> all(HandoffReader reader, JobStatus status) {
    var jobs = new ArrayList<JobInfo>();
    var after = Optional.<String>empty();
    do {
      var page = reader.jobs(JobFilter.ALL.status(status), after, HandoffReader.MAX_LIMIT);
      page.jobs().stream().filter(job -> job.plan().isEmpty()).forEach(jobs::add);
      after = page.next();
    } while (after.isPresent());
    return jobs.reversed();
  }

  private Optional<JobInfo> found(HandoffReader reader, JobId id, List<Answer> answers) {
    var job = reader.job(id);
    if (job.isEmpty()) {
      answers.add(missing(reader, id));
    } else if (job.get().plan().isPresent()) {
      answers.add(
          new Answer(
              id.value(),
              "not retried",
              "it is a step: handoff plan retry %s%s"
                  .formatted(job.get().plan().orElseThrow(), store.again()),
              ExitCode.REFUSED));
      return Optional.empty();
    }
    return job;
  }

  private Answer missing(HandoffReader reader, JobId id) {
    boolean isPlan = reader.plan(new PlanId(id.value())).isPresent();
    if (!isPlan && reader.info().mayHaveDropped()) {
      return notKept(id.value());
    }
    return new Answer(
        id.value(),
        "not found",
        isPlan ? "it is a plan: handoff plan retry %s%s".formatted(id, store.again()) : "",
        ExitCode.NOT_FOUND);
  }

  private static Answer notKept(String id) {
    return new Answer(id, "not kept", ErrorText.NOT_KEPT, ExitCode.NOT_FOUND);
  }

  private static Answer retry(Handoff handoff, JobInfo job) {
    var id = job.id().value();
    return switch (handoff.retry(job.id(), "cli").toCompletableFuture().join()) {
      case RetryAnswer.Reopened opened -> new Answer(id, "queued again", "", ExitCode.OK);
      case RetryAnswer.NotPossible(var same, var status) ->
          new Answer(
              id,
              "not retried",
              "it is %s: only what failed or was cancelled can be retried"
                  .formatted(status.label()),
              ExitCode.REFUSED);
      case RetryAnswer.NotFound none -> new Answer(id, "not found", "", ExitCode.NOT_FOUND);
      case RetryAnswer.NotKept none -> notKept(id);
      case RetryAnswer.Unavailable(var reason, var retryAfter) ->
          new Answer(id, "not known", reason, ExitCode.UNREACHABLE);
    };
  }

  /// Jobs that were reopened.
  private static List<JobInfo> opened(List<Answer> answers, List<JobInfo> jobs) {
    var opened = new TreeSet<String>();
    answers.stream()
        .filter(one -> one.exitCode() == ExitCode.OK)
        .forEach(one -> opened.add(one.id()));
    return jobs.stream().filter(job -> opened.contains(job.id().value())).toList();
  }

  private void print(List<Answer> answers, List<JobInfo> opened) {
    var types = new TreeSet<String>();
    opened.forEach(job -> types.add(job.type()));
    var unknown = unknown(types);
    var next =
        unknown.containsAll(types)
            ? null
            : "handoff run" + store.again() + NeededOptions.of(types, opened);
    if (common.json) {
      var json = JsonNodeFactory.instance.objectNode();
      var list = json.putArray("jobs");
      answers.forEach(
          one ->
              list.addObject()
                  .put("id", one.id())
                  .put("outcome", one.outcome())
                  .put("reason", one.reason().isEmpty() ? null : one.reason()));
      json.put("next", next);
      streams.out().println(JsonText.of(json));
      return;
    }
    if (answers.isEmpty()) {
      streams.out().println("no jobs are " + status);
    }
    answers.forEach(
        one ->
            streams
                .out()
                .println(
                    one.id()
                        + "  "
                        + one.outcome()
                        + (one.reason().isEmpty() ? "" : ": " + TerminalText.line(one.reason()))));
    if (next != null) {
      streams.out().println("run them: " + next);
    }
    if (!unknown.isEmpty()) {
      streams
          .out()
          .printf(
              "(type %s: run by the program that has a handler for it)%n",
              String.join(", ", unknown));
    }
  }

  /// Job types without a built-in handler, which need the program that embeds their handler.
  private static Set<String> unknown(Set<String> types) {
    var unknown = new TreeSet<>(types);
    unknown.removeAll(BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE.withExec()).types());
    unknown.remove(BuiltInHandlers.HTTP);
    return unknown;
  }

  private JobStatus statusOf(String name) {
    if (!name.equals("failed") && !name.equals("cancelled")) {
      throw misuse("--status must be failed or cancelled, was " + name);
    }
    return JobStatus.parse(name);
  }

  private JobId id(String text) {
    try {
      return new JobId(TypedId.of(text));
    } catch (IllegalArgumentException notOne) {
      throw misuse(notOne.getMessage());
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
