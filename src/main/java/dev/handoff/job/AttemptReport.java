package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.cancel.Cancellation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How an attempt ended, as its worker saw it. What it means for the job is the job's decision.
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
  /// @param contribution what it leaves in its plan; null = nothing
  record Returned(Json result, @Nullable Contribution contribution) implements AttemptReport {
    public Returned(Json result) {
      this(result, null);
    }
  }

  /// The handler threw, and nobody had asked it to stop.
  ///
  /// @param forGood whether no second try can mend it
  /// @param why it is for good, in words; null if it is not, or nobody has said so
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

  /// The handler returned, and wants to be called again after a while.
  record Later(Duration delay) implements AttemptReport {}

  /// The handler was asked to stop, and ended without a result.
  record Stopped(Cancellation.Cause cause) implements AttemptReport {}

  /// The handler was asked to stop and did not: its code may still run.
  record Abandoned(Cancellation.Cause cause) implements AttemptReport {}

  /// The handler was not called, and will not be.
  record NeverStarted() implements AttemptReport {}
}
