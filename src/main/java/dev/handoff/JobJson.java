package dev.handoff;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.handoff.job.JobError;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A job as JSON: the one form that the CLI, HTTP and the documentation share.
public final class JobJson {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .addMixIn(JobError.class, WithAllFields.class)
          .build();

  private JobJson() {}

  /// An error whose stack trace is there, even if it is empty.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  private interface WithAllFields {}

  /// All fields but the time at which it was looked at; what a job does not have is null or empty.
  public static ObjectNode write(JobInfo job) {
    ObjectNode json = MAPPER.valueToTree(job);
    json.remove("seenAt");
    return json;
  }

  static ObjectNode tree(PlanInfo plan) {
    return MAPPER.valueToTree(plan);
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
