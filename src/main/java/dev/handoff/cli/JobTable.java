package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.job.JobStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// Jobs as a table, one line each.
final class JobTable {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  /// What matters least stands last: a terminal that is too narrow does not show it.
  private static final List<String> HEAD =
      List.of("ID", "STATUS", "TYPE", "STARTS", "CREATED", "FINISHED", "QUEUE", "PRIO", "KEY");

  private JobTable() {}

  static String of(List<JobInfo> jobs, Screen screen) {
    var table = new Table(HEAD);
    for (var job : jobs) {
      table.row(
          Table.cell(job.id().value()),
          Table.cell(job.status().label(), styleOf(job.status())),
          Table.cell(Plain.brief(job.type(), 30)),
          Table.cell("%d/%d".formatted(job.starts(), job.maxAttempts())),
          Table.cell(time(job.createdAt())),
          Table.cell(job.finishedAt().map(JobTable::time).orElse("")),
          Table.cell(Plain.brief(job.queue(), 20)),
          Table.cell(Integer.toString(job.priority())),
          Table.cell(job.key().map(key -> Plain.brief(key, 30)).orElse("")));
    }
    return table.draw(screen);
  }

  /// Nobody has the store open while it is read.
  static String underWay(long jobs) {
    return jobs == 1
        ? "1 job was running when its process ended"
        : "%,d jobs were running when their process ended".formatted(jobs);
  }

  static boolean isUnderWay(JobInfo job) {
    return job.status() == JobStatus.CLAIMED || job.status() == JobStatus.RUNNING;
  }

  /// A time of day as the place of the reader has it.
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
