package dev.handoff.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an attempt has to say besides its end: the log lines since the last time, and its newest progress.
public record Notes(List<String> log, @Nullable Progress progress) {

  public static final Notes NONE = new Notes(List.of(), null);

  public Notes {
    log = log.stream().map(line -> Text.clean(line, Trail.MAX_LOG_LINE)).toList();
    if (log.size() > Trail.MAX_LOG_LINES) {
      log = log.subList(log.size() - Trail.MAX_LOG_LINES, log.size());
    }
  }
}
