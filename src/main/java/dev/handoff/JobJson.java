package dev.handoff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.job.AttemptRecord;
import dev.handoff.job.JobError;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.Phase;
import dev.handoff.job.Reopening;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// A job as JSON: the one form that the CLI, HTTP and the documentation share.
public final class JobJson {

  private static final ObjectMapper MAPPER = JsonMapper.builder().build();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JobJson() {}

  /// All fields; what a job does not have is null or empty.
  public static ObjectNode write(JobInfo job) {
    var state = job.state();
    var spec = state.spec();
    var json = NODES.objectNode();
    json.put("id", state.id().value());
    json.put("type", spec.type());
    json.put("queue", spec.queue());
    json.put("priority", spec.priority());
    json.put("key", spec.key());
    json.put("status", job.status().label());
    json.put("attempt", state.attempt());
    json.put("starts", state.starts());
    json.put("maxAttempts", spec.options().maxAttempts());
    json.set("payload", parsed(spec.payload()));
    json.set(
        "result",
        state.phase() instanceof Phase.Succeeded(var result, var at) ? parsed(result) : null);
    json.set("error", error(errorOf(state)));
    json.set("progress", progress(state));
    json.put("worker", state.underway().map(run -> run.by().worker()).orElse(null));
    json.put("node", state.underway().map(run -> run.by().pool().value()).orElse(null));
    json.put("plan", spec.origin() == null ? null : spec.origin().plan());
    json.put("step", spec.origin() == null ? null : spec.origin().step());
    json.put(
        "parent",
        spec.origin() == null || spec.origin().parent() == null
            ? null
            : spec.origin().parent().value());
    spec.options().labels().forEach(json.putObject("labels")::put);
    times(state, json);
    json.set("cancel", cancel(state));
    var attempts = json.putArray("attempts");
    state.trail().attempts().forEach(attempt -> attempts.add(attempt(attempt)));
    json.set("history", History.of(state));
    state.trail().log().forEach(json.putArray("log")::add);
    var children = json.putArray("children");
    state.trail().children().forEach(child -> children.add(child.id().value()));
    return json;
  }

  private static void times(JobState state, ObjectNode json) {
    json.put("createdAt", text(state.createdAt()));
    json.put("runAt", text(state.spec().runAt()));
    json.put("nextRunAt", state.phase() instanceof Phase.Pending(var due) ? text(due) : null);
    json.put("startedAt", text(startedAt(state)));
    json.put("finishedAt", text(state.endedAt().orElse(null)));
  }

  /// Of the attempt under way; of the last one, if there is none.
  private static @Nullable Instant startedAt(JobState state) {
    var attempts = state.trail().attempts();
    if (state.underway().isPresent()) {
      return state.underway().get().startedAt();
    }
    return attempts.isEmpty() ? null : attempts.getLast().startedAt();
  }

  /// Of the first attempt.
  static @Nullable Instant firstStart(JobState state) {
    var attempts = state.trail().attempts();
    return attempts.isEmpty() ? startedAt(state) : attempts.getFirst().startedAt();
  }

  private static @Nullable JobError errorOf(JobState state) {
    return switch (state.phase()) {
      case Phase.Failed(var cause, var error, var at) -> error;
      case Phase.Succeeded none -> null;
      case Phase.Cancelled none -> null;
      case Phase.Idle waits -> lastError(state);
      case Phase.Claimed again -> lastError(state);
      case Phase.Running again -> lastError(state);
      case Phase.Stopping again -> lastError(state);
    };
  }

  private static @Nullable JobError lastError(JobState state) {
    return state.trail().attempts().isEmpty() ? null : state.trail().attempts().getLast().error();
  }

  private static @Nullable JsonNode error(@Nullable JobError error) {
    return error == null
        ? null
        : NODES
            .objectNode()
            .put("type", error.type())
            .put("message", error.message())
            .put("stack", error.stack());
  }

  static @Nullable JsonNode progress(JobState state) {
    var progress = state.trail().progress();
    return progress == null
        ? null
        : NODES
            .objectNode()
            .put("fraction", progress.fraction())
            .put("message", progress.message());
  }

  private static @Nullable JsonNode cancel(JobState state) {
    return switch (state.phase()) {
      case Phase.Stopping(var cause, var since, var run, var request) when request != null ->
          request(request, false);
      case Phase.Cancelled over -> request(over.request(), over.abandoned());
      case Phase.Stopping none -> null;
      case Phase.Idle none -> null;
      case Phase.Claimed none -> null;
      case Phase.Running none -> null;
      case Phase.Succeeded none -> null;
      case Phase.Failed none -> null;
    };
  }

  private static JsonNode request(Phase.CancelRequest request, boolean abandoned) {
    return NODES
        .objectNode()
        .put("reason", request.reason())
        .put("by", request.by())
        .put("requestedAt", text(request.at()))
        .put("abandoned", abandoned);
  }

  private static JsonNode attempt(AttemptRecord attempt) {
    var json = NODES.objectNode();
    json.put("attempt", attempt.number());
    json.put("worker", attempt.worker());
    json.put("claimedAt", text(attempt.claimedAt()));
    json.put("startedAt", text(attempt.startedAt()));
    json.put("endedAt", text(attempt.endedAt()));
    json.put("outcome", attempt.cause() == null ? "succeeded" : attempt.cause().label());
    json.set("error", error(attempt.error()));
    json.put("abandoned", attempt.abandoned());
    json.put("late", attempt.late());
    return json;
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static JsonNode parsed(Json json) {
    try {
      return MAPPER.readTree(json.utf8());
    } catch (IOException notJson) {
      return NODES.textNode(json.toString());
    }
  }

  /// What happened to a job, in order, as far as its state tells.
  private static final class History {

    private History() {}

    static ArrayNode of(JobState state) {
      var history = NODES.arrayNode();
      var reopenings = new ArrayDeque<>(state.trail().reopenings());
      add(history, state.createdAt(), "submitted", null);
      for (var attempt : state.trail().attempts()) {
        addReopened(history, reopenings, attempt.claimedAt());
        add(history, attempt.claimedAt(), "claimed", attempt.number());
        add(history, attempt.startedAt(), "started", attempt.number());
        add(
            history,
            attempt.endedAt(),
            attempt.cause() == null ? "succeeded" : attempt.cause().label(),
            attempt.number());
      }
      state
          .underway()
          .ifPresent(
              run -> {
                addReopened(history, reopenings, run.claimedAt());
                add(history, run.claimedAt(), "claimed", state.attempt());
                add(history, run.startedAt(), "started", state.attempt());
              });
      addReopened(history, reopenings, Instant.MAX);
      switch (state.phase()) {
        case Phase.Stopping stopping ->
            add(history, stopping.since(), "stop-requested", state.attempt());
        case Phase.Failed(var cause, var error, var at) -> add(history, at, "failed", null);
        case Phase.Cancelled over -> {
          add(history, over.request().at(), "cancel-requested", null);
          add(history, over.at(), "cancelled", null);
        }
        case Phase.Succeeded told -> {}
        case Phase.Idle none -> {}
        case Phase.Claimed told -> {}
        case Phase.Running told -> {}
      }
      return history;
    }

    private static void addReopened(ArrayNode history, Deque<Reopening> left, Instant until) {
      while (!left.isEmpty() && !left.getFirst().at().isAfter(until)) {
        var next = left.removeFirst();
        history.addObject().put("at", text(next.at())).put("what", "reopened").put("by", next.by());
      }
    }

    private static void add(
        ArrayNode history, @Nullable Instant at, String what, @Nullable Integer attempt) {
      if (at != null) {
        var entry = history.addObject().put("at", text(at)).put("what", what);
        if (attempt != null) {
          entry.put("attempt", attempt);
        }
      }
    }
  }
}
