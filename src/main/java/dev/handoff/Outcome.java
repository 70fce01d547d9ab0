package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.JobError;
import dev.handoff.job.Json;
import dev.handoff.job.NamedAnswer;
import java.io.IOException;

/// How a job ended.
@JsonSubTypes({
  @JsonSubTypes.Type(value = Outcome.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = Outcome.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = Outcome.Cancelled.class, name = "cancelled")
})
public sealed interface Outcome extends NamedAnswer {

  /// The handler's result.
  record Succeeded(Json value) implements Outcome {

    public Succeeded {
      value = value == null ? Json.NULL : value;
    }

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
