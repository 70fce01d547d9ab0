package dev.handoff.internal.facade;

import dev.handoff.Backoff;
import dev.handoff.JobRequest;
import dev.handoff.RetryRule;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.FieldReader;
import dev.handoff.internal.text.LocatedValue;
import dev.handoff.internal.text.LocatedValue.Fields;
import dev.handoff.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reader of the fields of a job, for requests in JSON and steps of plan files.
public final class JobRequestReader {

  /// Valid name, in the place of a type that cannot be read.
  private static final String UNREAD = "unread";

  private JobRequestReader() {}

  /// Reads all fields, and applies the rules of a submission to them. A field with a problem is
  /// left out.
  ///
  /// @param missing problem of a job without a type; null = the type may be missing
  public static JobRequest read(FieldReader job, @Nullable String missing) {
    if (missing != null) {
      job.require("type", missing);
    }
    var type = job.read("type", LocatedValue::text, UNREAD);
    var payload = job.json("payload");
    var request = JobRequest.of(type, payload);
    request = job.set(request, "queue", LocatedValue::text, JobRequest::queue);
    request = job.set(request, "priority", LocatedValue::whole, JobRequest::priority);
    request = job.set(request, "key", LocatedValue::text, JobRequest::key);
    request = job.set(request, "runAt", JobRequestReader::instant, JobRequest::runAt);
    request = job.set(request, "delay", JobRequestReader::duration, JobRequest::delay);
    request = job.set(request, "timeout", JobRequestReader::duration, JobRequest::timeout);
    request =
        job.set(
            request, "heartbeatTimeout", JobRequestReader::duration, JobRequest::heartbeatTimeout);
    request = job.set(request, "maxAttempts", LocatedValue::whole, JobRequest::maxAttempts);
    request = job.set(request, "backoff", value -> backoff(job, value), JobRequest::backoff);
    request = job.set(request, "retryIf", value -> retryRule(job, value), JobRequest::retryIf);
    request =
        job.set(
            request, "labels", value -> job.inside("labels", value).texts(), JobRequest::labels);
    if (job.has("runAt") && job.has("delay")) {
      job.wrong("delay", "cannot stand beside runAt");
    }
    job.broken(JobSpecs.problems(request, payload, Instant.now()));
    return request;
  }

  private static Duration duration(LocatedValue value) {
    return Durations.parse(value.text());
  }

  private static Instant instant(LocatedValue value) {
    var text = value.textOrTime();
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException malformed) {
      throw new IllegalArgumentException(
          "\"%s\" is not a time: write 2030-01-31T08:00:00Z or 2030-01-31T08:00:00+02:00"
              .formatted(SafeText.shown(text)));
    }
  }

  private static RetryRule retryRule(FieldReader job, LocatedValue value) {
    var rule = job.inside("retryIf", value);
    var only = rule.read("only", JobRequestReader::classes, List.<String>of());
    var never = rule.read("never", JobRequestReader::classes, List.<String>of());
    rule.end("retryIf");
    return new RetryRule(only, never);
  }

  private static List<String> classes(LocatedValue value) {
    return value.texts("must be a list of texts in quotes");
  }

  /// A growing backoff has the values of [Backoff#DEFAULT] for missing fields.
  private static Backoff backoff(FieldReader job, LocatedValue value) {
    if (!(value instanceof Fields)) {
      var text = value.text();
      return text.equals("none") ? Backoff.none() : Backoff.fixed(Durations.parse(text));
    }
    var growing = job.inside("backoff", value);
    var first = growing.read("first", JobRequestReader::duration, Duration.ofSeconds(1));
    double factor = growing.read("factor", LocatedValue::number, 2.0);
    var max = growing.read("max", JobRequestReader::duration, Duration.ofMinutes(5));
    double jitter = growing.read("jitter", LocatedValue::number, 0.2);
    return growing.end("backoff")
        ? Backoff.exponential(first, factor, max, jitter)
        : Backoff.DEFAULT;
  }
}
