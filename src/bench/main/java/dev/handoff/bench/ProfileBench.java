package dev.handoff.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// CPU profile of a durable no-op job from JFR's CPU-time samples (Java 25). A sample counts for
/// the first activity in the list that matches its stack.
final class ProfileBench {

  private static final String SAMPLES = "jdk.CPUTimeSample";
  private static final String UNABLE = "this JVM does not sample CPU time: use a JDK 25 on Linux";
  private static final Duration ROUND = Duration.ofSeconds(5);

  /// Activities in order of precedence, each with parts of matching frames.
  private static final List<Activity> ACTIVITIES =
      List.of(
          new Activity("the driver of the database", "org.postgresql.", "org.sqlite."),
          new Activity("sending messages", "ActorRefAdapter.tell"),
          new Activity("starting actors", "ActorContextImpl.spawn"),
          new Activity("store", "dev.handoff.internal.store."),
          new Activity("ledger: batches, folding", "dev.handoff.internal.ledger.LedgerActor"),
          new Activity("encoding of facts and states", "dev.handoff.internal.ledger."),
          new Activity("job: deciding, applying", "dev.handoff.internal.job."),
          new Activity("dispatch", "dev.handoff.internal.dispatch."),
          new Activity("engine: partition, gateway, events", "dev.handoff.internal.engine."),
          new Activity(
              "load: submitting, counting",
              "dev.handoff.bench.LoadThreads",
              "HandoffContender.ran"),
          new Activity("facade", "dev.handoff."),
          new Activity("stopping actors", "Mailbox.processAllSystemMessages"),
          new Activity("taking messages", "ActorCell.invoke", "Mailbox.run"),
          new Activity("virtual threads", "java.lang.VirtualThread"),
          new Activity("scheduling", "ForkJoinPool", "ForkJoinWorkerThread"));

  private record Activity(String name, String... frames) {
    boolean fits(RecordedEvent sample) {
      for (var frame : sample.getStackTrace().getFrames()) {
        var method = frame.getMethod();
        var shown = method.getType().getName() + "." + method.getName();
        for (var part : frames) {
          if (shown.contains(part)) {
            return true;
          }
        }
      }
      return false;
    }
  }

  private ProfileBench() {}

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    if (FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .noneMatch(type -> type.getName().equals(SAMPLES))) {
      if (arguments.quick()) {
        checks.skip(UNABLE);
        return;
      }
      throw new IllegalStateException(UNABLE);
    }
    int workers = arguments.number("workers", 128, 128);
    var time = Duration.ofMillis(arguments.quick() ? 500 : ROUND.toMillis());
    try (var server = PostgresHost.start()) {
      for (int warmUp = 0; warmUp < (arguments.quick() ? 1 : 4); warmUp++) {
        round(server, workers, time);
      }
      var file = Files.createTempFile("handoff", ".jfr");
      try (var recording = new Recording()) {
        recording.enable(SAMPLES).withStackTrace().with("throttle", "5ms");
        recording.start();
        var round = round(server, workers, time);
        recording.stop();
        recording.dump(file);
        double sampled = print(workers, round, file);
        checks.that("the time of the processors is sampled", sampled > 0);
        checks.that("no job is lost", round.lost().isEmpty());
        checks.that("no job runs twice", round.repeated().isEmpty());
      } finally {
        Files.delete(file);
      }
    }
  }

  private static RoundResult round(PostgresHost server, int workers, Duration time)
      throws Exception {
    var tally = new RunCounter();
    try (var ours = HandoffContender.onPostgres(server, LaneSettings.of(workers))) {
      var meter = new CpuMeter(server::cpu);
      ours.load(tally, time);
      var spent = meter.read();
      ours.stop();
      var round =
          new RoundResult(
              tally.submitted(), spent, ours.commits(tally), tally.lost(), tally.repeated());
      System.out.println(RunReport.line(round));
      return round;
    }
  }

  /// @return sampled CPU microseconds per job
  private static double print(int workers, RoundResult round, Path file) throws IOException {
    var micros = new TreeMap<String, Double>();
    double sampled = 0;
    try (var samples = new RecordingFile(file)) {
      while (samples.hasMoreEvents()) {
        var sample = samples.readEvent();
        if (sample.getEventType().getName().equals(SAMPLES)) {
          double each = sample.getDuration("samplingPeriod").toNanos() / 1e3 / round.jobs();
          micros.merge(activity(sample), each, Double::sum);
          sampled += each;
        }
      }
    }
    micros.put("compiler, collector, not sampled", Math.max(0, round.cpuMicros() - sampled));
    micros.put("the server", round.serverMicros());
    System.out.printf("%d workers, us of CPU a job:%n", workers);
    micros.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(entry -> System.out.printf("%6.2f  %s%n", entry.getValue(), entry.getKey()));
    System.out.println(new ObjectMapper().writeValueAsString(micros));
    return sampled;
  }

  private static String activity(RecordedEvent sample) {
    if (sample.getStackTrace() == null) {
      return "unknown";
    }
    return ACTIVITIES.stream()
        .filter(activity -> activity.fits(sample))
        .findFirst()
        .map(Activity::name)
        .orElse("other");
  }
}
