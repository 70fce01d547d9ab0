package dev.handoff.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.handoff.Backoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.RetryRule;
import dev.handoff.internal.facade.JobSpecs;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.SafeText;
import dev.handoff.internal.text.StrictJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// JSON form of a job request, shared by the CLI, HTTP and the documentation. Its fields are `type
/// payload queue priority key runAt delay timeout heartbeatTimeout maxAttempts backoff retryIf
/// labels`; all but `type` are optional and may be null.
///
/// Durations have the form of [Durations#parse]. `backoff` is a duration, `"none"`, or
/// `{"first":"1s","factor":2,"max":"5m","jitter":0.2}`. `retryIf` is
/// `{"only":["java.io.IOException"],"never":["java.io.FileNotFoundException"]}`, or one of the two
/// fields.
public final class JobRequestJson {

  private static final JsonFormat FORMAT = JsonFormat.standard();
  private static final int MOST_PROBLEMS = 20;

  private final StrictJson in;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final List<UnaryOperator<JobRequest>> options = new ArrayList<>();
  private String type = "";
  private Json payload = Json.NULL;

  private JobRequestJson(StrictJson in) {
    this.in = in;
  }

  /// Reads one request and applies every rule of a submission.
  ///
  /// @throws InvalidRequestException naming each wrong field, or the position of malformed JSON
  public static JobRequest read(byte[] utf8) {
    try (var in = StrictJson.open(utf8)) {
      return new JobRequestJson(in).request();
    } catch (IOException malformed) {
      throw new InvalidRequestException(List.of(malformed.getMessage()));
    }
  }

  private JobRequest request() throws IOException {
    if (in.next() != JsonToken.START_OBJECT) {
      throw in.at("a job is a JSON object");
    }
    in.fields(
        field -> {
          if (in.token() != JsonToken.VALUE_NULL) {
            seen.add(field);
            noteProblems(field);
          }
        });
    in.end();
    return checked();
  }

  private void noteProblems(String field) throws IOException {
    try {
      read(field);
    } catch (IllegalArgumentException wrong) {
      if (problems.size() < MOST_PROBLEMS) {
        problems.add(SafeText.shown(field) + ": " + wrong.getMessage());
      }
    }
  }

  private void read(String field) throws IOException {
    switch (field) {
      case "type" -> type = in.string();
      case "payload" -> payload = in.raw();
      case "queue" -> option(in.string(), JobRequest::queue);
      case "key" -> option(in.string(), JobRequest::key);
      case "priority" -> option(in.integer(), JobRequest::priority);
      case "maxAttempts" -> option(in.integer(), JobRequest::maxAttempts);
      case "runAt" -> option(instant(), JobRequest::runAt);
      case "delay" -> option(duration(), JobRequest::delay);
      case "timeout" -> option(duration(), JobRequest::timeout);
      case "heartbeatTimeout" -> option(duration(), JobRequest::heartbeatTimeout);
      case "backoff" -> option(backoff(), JobRequest::backoff);
      case "retryIf" -> option(retryRule(), JobRequest::retryIf);
      case "labels" -> labels();
      default -> {
        in.skip();
        throw new IllegalArgumentException(
            "is not a field of a job; known: type, payload, queue, priority, key, runAt, delay,"
                + " timeout, heartbeatTimeout, maxAttempts, backoff, retryIf, labels");
      }
    }
  }

  private JobRequest checked() {
    if (!seen.contains("type")) {
      problems.add("type: is missing");
    }
    if (seen.contains("runAt") && seen.contains("delay")) {
      problems.add("delay: cannot stand beside runAt");
    }
    var request = JobRequest.of(type, payload);
    for (var option : options) {
      request = option.apply(request);
    }
    if (problems.isEmpty()) {
      JobSpecs.of(request, Instant.now(), FORMAT);
      return request;
    }
    throw new InvalidRequestException(problems);
  }

  private <T> void option(T value, BiFunction<JobRequest, T, JobRequest> set) {
    options.add(request -> set.apply(request, value));
  }

  private Duration duration() throws IOException {
    return Durations.parse(in.string());
  }

  private Instant instant() throws IOException {
    var text = in.string();
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException malformed) {
      throw new IllegalArgumentException(
          "\"%s\" is not a time: write 2030-01-31T08:00:00Z or 2030-01-31T08:00:00+02:00"
              .formatted(SafeText.shown(text)));
    }
  }

  private void labels() throws IOException {
    var labels = new HashMap<String, String>();
    in.object(name -> labels.put(name, in.string()));
    option(labels, JobRequest::labels);
  }

  private RetryRule retryRule() throws IOException {
    var only = new ArrayList<String>();
    var never = new ArrayList<String>();
    in.object(
        field -> {
          switch (field) {
            case "only" -> in.strings(only);
            case "never" -> in.strings(never);
            default -> {
              in.skip();
              throw new IllegalArgumentException(
                  "\"%s\" is not a field of it; known: only, never"
                      .formatted(SafeText.shown(field)));
            }
          }
        });
    return new RetryRule(only, never);
  }

  private Backoff backoff() throws IOException {
    if (in.token() == JsonToken.START_OBJECT) {
      return new BackoffFields().read();
    }
    var text = in.string();
    return text.equals("none") ? Backoff.none() : Backoff.fixed(Durations.parse(text));
  }

  /// Growing backoff; missing fields have the values of [Backoff#DEFAULT].
  private final class BackoffFields {
    private Duration first = Duration.ofSeconds(1);
    private double factor = 2;
    private Duration max = Duration.ofMinutes(5);
    private double jitter = 0.2;

    Backoff read() throws IOException {
      in.object(
          field -> {
            switch (field) {
              case "first" -> first = duration();
              case "factor" -> factor = in.number();
              case "max" -> max = duration();
              case "jitter" -> jitter = in.number();
              default -> {
                in.skip();
                throw new IllegalArgumentException(
                    "\"%s\" is not a field of it; known: first, factor, max, jitter"
                        .formatted(SafeText.shown(field)));
              }
            }
          });
      return Backoff.exponential(first, factor, max, jitter);
    }
  }
}
