package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobPage;
import dev.handoff.JobStatus;
import dev.handoff.json.JobJson;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Command `list`: lists the jobs of a store without an engine.
@Command(
    name = "list",
    description = "Lists jobs, newest first. Only reads: no engine may have the store open.")
final class ListCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of entries, up to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description =
          "Only jobs with this status: scheduled, queued, claimed, running, waiting, cancelling,"
              + " succeeded, failed or cancelled.")
  private @Nullable String status;

  @Option(names = "--queue", paramLabel = "QUEUE", description = "Only jobs of this queue.")
  private @Nullable String queue;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.")
  private @Nullable String type;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "Only jobs with this" + " label.")
  private @Nullable String label;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Continue after this job, the last one of the previous page.")
  private @Nullable String after;

  private final ProgramStreams streams;

  ListCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (limit < 1 || limit > HandoffReader.MAX_LIMIT) {
      throw misuse("--limit must be 1 to %d, was %d".formatted(HandoffReader.MAX_LIMIT, limit));
    }
    var filter = filter();
    var cursor = Optional.ofNullable(after).map(this::id).map(JobId::value);
    try (var reader = store.read()) {
      var page = reader.jobs(filter, cursor, limit);
      if (common.json) {
        printJson(page);
      } else {
        printTable(page);
      }
    }
    return ExitCode.OK;
  }

  private void printJson(JobPage page) {
    var array = JsonNodeFactory.instance.arrayNode();
    page.jobs().forEach(job -> array.add(JobJson.write(job)));
    streams.out().println(JsonText.of(array));
  }

  private void printTable(JobPage page) {
    if (page.jobs().isEmpty()) {
      streams.out().println("no jobs");
      return;
    }
    streams.out().print(JobTable.of(page.jobs(), streams.screenOnOut()));
    long underWay = page.jobs().stream().filter(JobTable::isUnderWay).count();
    if (underWay > 0) {
      streams.out().println(JobTable.underWay(underWay));
    }
    page.next().ifPresent(last -> streams.out().println("more: " + more(last)));
  }

  /// Command for the next page.
  private String more(String last) {
    return "handoff list --after %s --limit %d".formatted(last, limit)
        + option("--status", status)
        + option("--queue", queue)
        + option("--type", type)
        + option("--label", label)
        + store.again();
  }

  private static String option(String name, @Nullable String value) {
    return value == null ? "" : NextCommand.option(name, value);
  }

  private JobFilter filter() {
    var named = label == null ? JobFilter.ALL : labelled(label);
    return new JobFilter(
        status == null ? null : statusOf(status), queue, type, null, named.label());
  }

  private JobFilter labelled(String text) {
    int at = text.indexOf('=');
    if (at < 1) {
      throw misuse("--label must be NAME=VALUE, was " + text);
    }
    return JobFilter.ALL.label(text.substring(0, at), text.substring(at + 1));
  }

  private JobStatus statusOf(String name) {
    try {
      return JobStatus.parse(name);
    } catch (IllegalArgumentException unknown) {
      throw misuse("--status: " + unknown.getMessage());
    }
  }

  private JobId id(String text) {
    try {
      return new JobId(TypedId.of(text));
    } catch (IllegalArgumentException notOne) {
      throw misuse("--after: " + notOne.getMessage());
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
