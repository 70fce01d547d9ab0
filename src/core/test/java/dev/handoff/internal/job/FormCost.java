package dev.handoff.internal.job;

import dev.handoff.internal.ledger.FactCodec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Prints the cost of an ordinary job's facts and state: bytes, and nanoseconds to write and to
/// read.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.internal.job.FormCost"
/// ```
final class FormCost {

  private static final int ROUNDS = 10;
  private static final int CALLS = 200_000;

  private static long sink;

  private interface Call {
    long run() throws IOException;
  }

  private FormCost() {}

  public static void main(String[] args) throws IOException {
    var types = List.<Class<?>>of(JobFact.class, JobState.class);
    var codecs = new LinkedHashMap<String, FactCodec>();
    codecs.put("Jackson", new FactCodec(types));
    codecs.put("by hand", new FactCodec(types, FastForms.INSTANCE));
    for (var codec : codecs.entrySet()) {
      System.out.println(codec.getKey());
      for (var name : List.of("submitted", "claimed", "started", "succeeded")) {
        fact(codec.getValue(), Map.entry(name, StoredSamples.facts().get(name)));
      }
      state(codec.getValue());
    }
    System.out.println("(" + sink + ")");
  }

  private static void fact(FactCodec codec, Map.Entry<String, JobFact> fact) throws IOException {
    var bytes = codec.encode(JobSituations.ID, fact.getValue()).encoded();
    print(
        fact.getKey(),
        bytes.length,
        nanos(() -> codec.encode(JobSituations.ID, fact.getValue()).encoded().length),
        nanos(() -> codec.decodeFact(bytes) == null ? 0 : 1));
  }

  private static void state(FactCodec codec) throws IOException {
    var ended = ordinary();
    var bytes = codec.encodeState(ended);
    print(
        "state at its end",
        bytes.length,
        nanos(() -> codec.encodeState(ended).length),
        nanos(() -> codec.decodeState(bytes).version()));
  }

  private static JobState ordinary() {
    var won = JobSituations.report(1, new AttemptReport.Returned(JobSituations.RESULT));
    return JobSituations.after(
        JobSituations.submitted(JobSituations.spec()),
        JobSituations.claim(),
        JobSituations.started(1),
        won);
  }

  private static void print(String what, int bytes, double write, double read) {
    System.out.printf("  %-18s %4d B  write %5.0f ns  read %5.0f ns%n", what, bytes, write, read);
  }

  private static double nanos(Call call) throws IOException {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < CALLS; i++) {
        sink += call.run();
      }
      best = Math.min(best, (System.nanoTime() - begin) / (double) CALLS);
    }
    return best;
  }
}
