package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.json.NamedAnswer;
import java.io.IOException;

/// Outcome of a job.
@JsonSubTypes({
  @JsonSubTypes.Type(value = Outcome.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = Outcome.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = Outcome.Cancelled.class, name = "cancelled")
})
public sealed interface Outcome extends NamedAnswer {

  /// The job succeeded with the handler's result.
  record Succeeded(Json value) implements Outcome {

    public Succeeded {
      value = value == null ? Json.NULL : value;
    }

    /// Result as an instance of a type. The JSON mapping is the default one; with your own
    /// [HandoffBuilder#objectMapper], read [#value] with that mapper.
    ///
    /// @throws IOException if the JSON does not fit the type
    public <T> T as(Class<T> type) throws IOException {
      return JsonFormat.standard().read(value, type);
    }
  }

  record Failed(JobError error) implements Outcome {}

  /// @param abandoned whether code of the job may still have been running at its end
  record Cancelled(String reason, boolean abandoned) implements Outcome {}
}
