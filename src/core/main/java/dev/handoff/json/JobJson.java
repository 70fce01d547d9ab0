package dev.handoff.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.handoff.JobError;
import dev.handoff.JobInfo;
import dev.handoff.plan.PlanInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// JSON forms of jobs and plans, as the command line prints them.
public final class JobJson {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .addMixIn(JobError.class, WithAllFields.class)
          .build();

  private JobJson() {}

  /// Mix-in that writes an error's stack trace even if it is empty.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  private interface WithAllFields {}

  /// All fields of a job except the time of the snapshot; absent values are null or empty.
  public static ObjectNode write(JobInfo job) {
    ObjectNode json = MAPPER.valueToTree(job);
    json.remove("seenAt");
    return json;
  }

  /// All fields of a plan; absent values are null or empty.
  public static ObjectNode write(PlanInfo plan) {
    return MAPPER.valueToTree(plan);
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
