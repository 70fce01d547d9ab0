package dev.handoff.handlers;

import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Handler that waits, reports progress, and stops at once on a cancel: `{"ms": 500}` or
/// `{"duration": "5s"}`.
final class SleepHandler implements JobHandler.Checking<SleepHandler.@Nullable Request> {

  private static final Duration LEAST_STEP = Duration.ofMillis(100);
  private static final long LONGEST_MS = Duration.ofDays(366).toMillis();
  private static final int STEPS = 20;

  /// @param ms time in milliseconds
  /// @param duration time in the form of [Durations#parse]; exactly one of the two is set
  record Request(@Nullable Long ms, @Nullable String duration) {

    static Duration time(@Nullable Request request) throws HandlerFailedException {
      return (request == null ? new Request(null, null) : request).time();
    }

    private Duration time() throws HandlerFailedException {
      if ((ms == null) == (duration == null)) {
        throw new HandlerFailedException(
            "sleep needs either ms or duration, such as {\"ms\": 500} or {\"duration\": \"5s\"}");
      }
      if (duration != null) {
        return Durations.parse(duration);
      }
      if (ms < 0 || ms > LONGEST_MS) {
        throw new HandlerFailedException("ms must be 0 to %d, was %d".formatted(LONGEST_MS, ms));
      }
      return Duration.ofMillis(ms);
    }
  }

  @Override
  public void check(@Nullable Request request) throws HandlerFailedException {
    Request.time(request);
  }

  @Override
  public Object handle(@Nullable Request request, JobContext job) throws Exception {
    var time = Request.time(request);
    var step = longer(time.dividedBy(STEPS), LEAST_STEP);
    var since = System.nanoTime();
    for (var left = time; left.isPositive(); left = time.minusNanos(System.nanoTime() - since)) {
      job.progress(1 - (double) left.toNanos() / time.toNanos(), Durations.format(left) + " left");
      if (job.cancellation().await(left.compareTo(step) < 0 ? left : step)) {
        job.cancellation().throwIfCancelled();
      }
    }
    job.progress(1, "awake");
    return Map.of("sleptMs", time.toMillis());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
