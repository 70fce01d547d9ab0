package dev.handoff.json;

import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.internal.facade.JobRequestReader;
import dev.handoff.internal.text.DocumentReader;
import dev.handoff.internal.text.DocumentReader.Document;
import dev.handoff.internal.text.FieldReader;
import dev.handoff.internal.text.LocatedProblem;
import dev.handoff.internal.text.LocatedValue;
import dev.handoff.internal.text.ProblemList;
import dev.handoff.internal.text.StrictParser;
import java.io.IOException;
import java.util.List;

/// JSON form of a job request, as in a line of a job file. Its fields are `type payload queue
/// priority key runAt delay timeout heartbeatTimeout maxAttempts backoff retryIf labels`; all but
/// `type` are optional and may be null.
///
/// Durations have the form `500ms`, `2s`, `1.5m`, `1h30m` or `2d`, or that of ISO 8601, such as
/// `PT30S`. `backoff` is a duration, `"none"`, or
/// `{"first":"1s","factor":2,"max":"5m","jitter":0.2}`. `retryIf` is
/// `{"only":["java.io.IOException"],"never":["java.io.FileNotFoundException"]}`, or one of the two
/// fields.
public final class JobRequestJson {

  private JobRequestJson() {}

  /// Reads one request and applies every rule of a submission.
  ///
  /// @throws InvalidRequestException naming each wrong field, or the position of malformed JSON
  public static JobRequest read(byte[] utf8) {
    var document = document(utf8);
    if (document.malformed() != null) {
      throw new InvalidRequestException(List.of(document.malformed()));
    }
    // A field with null counts as left out, even one that is not known.
    document.root().fields().values().removeIf(LocatedValue::isNull);
    var problems = new ProblemList(true);
    var job = new FieldReader(document.root(), "", problems);
    var request = JobRequestReader.read(job, "is missing");
    job.end("a job");
    var told = problems.told(LocatedProblem::text);
    if (!told.isEmpty()) {
      throw new InvalidRequestException(told);
    }
    return request;
  }

  private static Document document(byte[] utf8) {
    try {
      return DocumentReader.read(StrictParser.value(utf8), "a job is a JSON object", "the object");
    } catch (IOException malformed) {
      throw new InvalidRequestException(List.of(String.valueOf(malformed.getMessage())));
    }
  }
}
