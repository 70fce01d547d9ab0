package dev.handoff;

import dev.handoff.job.JobError;
import dev.handoff.job.Json;
import java.io.IOException;

/// How a job ended.
public sealed interface Outcome {

  /// The handler's result.
  record Succeeded(Json value) implements Outcome {

    /// The result read as a type, from JSON as it is written without an
    /// [HandoffBuilder#objectMapper]; for one of your own, read [#value] with it.
    ///
    /// @throws IOException if it does not fit
    public <T> T as(Class<T> type) throws IOException {
      return JsonFormat.standard().read(value, type);
    }
  }

  record Failed(JobError error) implements Outcome {}

  /// @param abandoned whether code of the job may still have been running when it was given up
  record Cancelled(String reason, boolean abandoned) implements Outcome {}
}
