package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// Table of jobs, one line each.
final class JobTable {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  /// Least important columns last: a narrow terminal drops them.
  private static final List<String> HEAD =
      List.of("ID", "STATUS", "TYPE", "STARTS", "CREATED", "FINISHED", "QUEUE", "PRIO", "KEY");

  private JobTable() {}

  static String of(List<JobInfo> jobs, Screen screen) {
    var table = new TextTable(HEAD);
    for (var job : jobs) {
      table.row(
          TextTable.cell(job.id().value()),
          TextTable.cell(job.status().label(), styleOf(job.status())),
          TextTable.cell(TerminalText.brief(job.type(), 30)),
          TextTable.cell("%d/%d".formatted(job.starts(), job.maxAttempts())),
          TextTable.cell(time(job.createdAt())),
          TextTable.cell(job.finishedAt().map(JobTable::time).orElse("")),
          TextTable.cell(TerminalText.brief(job.queue(), 20)),
          TextTable.cell(Integer.toString(job.priority())),
          TextTable.cell(job.key().map(key -> TerminalText.brief(key, 30)).orElse("")));
    }
    return table.draw(screen);
  }

  /// Note about running jobs. A readable store has no engine, so these attempts were interrupted.
  static String underWay(long jobs) {
    return jobs == 1
        ? "1 job was running when its process ended"
        : "%,d jobs were running when their process ended".formatted(jobs);
  }

  static boolean isUnderWay(JobInfo job) {
    return job.status() == JobStatus.CLAIMED || job.status() == JobStatus.RUNNING;
  }

  /// Time in the time zone of the user.
  static String time(Instant at) {
    return TIME.format(at);
  }

  static Screen.Style styleOf(JobStatus status) {
    return switch (status) {
      case SUCCEEDED -> Screen.Style.GREEN;
      case FAILED -> Screen.Style.RED;
      case CANCELLED, CANCELLING -> Screen.Style.YELLOW;
      case CLAIMED, RUNNING -> Screen.Style.CYAN;
      case WAITING, SCHEDULED, QUEUED -> Screen.Style.DIM;
    };
  }
}
