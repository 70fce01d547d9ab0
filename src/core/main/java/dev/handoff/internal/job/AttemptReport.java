package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Worker's view of an attempt's end. The consequences are the job's decision.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = AttemptReport.Returned.class, name = "returned"),
  @JsonSubTypes.Type(value = AttemptReport.Threw.class, name = "threw"),
  @JsonSubTypes.Type(value = AttemptReport.Later.class, name = "later"),
  @JsonSubTypes.Type(value = AttemptReport.Stopped.class, name = "stopped"),
  @JsonSubTypes.Type(value = AttemptReport.Abandoned.class, name = "abandoned"),
  @JsonSubTypes.Type(value = AttemptReport.NeverStarted.class, name = "never-started")
})
public sealed interface AttemptReport {

  /// The handler returned a result.
  ///
  /// @param contribution changes and decisions for the plan; null = none
  record Returned(Json result, @Nullable StepContribution contribution) implements AttemptReport {
    public Returned(Json result) {
      this(result, null);
    }
  }

  /// The handler threw; no stop was requested.
  ///
  /// @param forGood whether a retry is pointless
  /// @param why reason for `forGood`; null if not final, or without a stated reason
  record Threw(
      JobError error,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean forGood,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String why)
      implements AttemptReport {
    public Threw(JobError error) {
      this(error, false);
    }

    public Threw(JobError error, boolean forGood) {
      this(error, forGood, null);
    }
  }

  /// The handler returned and requests another attempt after a delay.
  record Later(Duration delay) implements AttemptReport {}

  /// The handler obeyed a stop request, without a result.
  record Stopped(Cancellation.Cause cause) implements AttemptReport {}

  /// The handler ignored a stop request: its code may still run.
  record Abandoned(Cancellation.Cause cause) implements AttemptReport {}

  /// The handler was never called and never will be.
  record NeverStarted() implements AttemptReport {}
}
