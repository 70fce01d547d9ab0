package dev.handoff.internal.job;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.text.Ulid;
import java.lang.ref.Reference;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Prints the heap size of a queued job with a payload of 100 bytes: its state in the ledger, its
/// actor, and its entry in the partition.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.internal.job.JobFootprint 300000"
/// ```
final class JobFootprint {

  private record Spawn(Map<JobId, ActorRef<Job.Command>> actors, CountDownLatch done)
      implements NoSerializationVerificationNeeded {}

  private JobFootprint() {}

  public static void main(String[] args) throws InterruptedException {
    int count = args.length == 0 ? 300_000 : Integer.parseInt(args[0]);
    long empty = used();
    var states = states(count);
    long full = used();
    var actors = new HashMap<JobId, ActorRef<Job.Command>>();
    var done = new CountDownLatch(1);
    var system = ActorSystem.create(spawning(states), "footprint");
    system.tell(new Spawn(actors, done));
    done.await();
    long live = used();

    System.out.printf(
        "%,d queued jobs: %d B each, %d of them state%n",
        count, (live - empty) / count, (full - empty) / count);
    Reference.reachabilityFence(states);
    Reference.reachabilityFence(actors);
    system.terminate();
  }

  private static Map<String, JobState> states(int count) {
    var ids = new Ulid(new Random(1));
    var states = new HashMap<String, JobState>();
    var now = Instant.ofEpochMilli(System.currentTimeMillis());
    for (int i = 0; i < count; i++) {
      var payload = Json.of("{\"file\":\"%089d\"}".formatted(i));
      var id = new JobId(ids.next(now.toEpochMilli() + i / 100, 0));
      var submitted =
          new JobFact.Submitted(JobSpec.of("thumbnail", payload), now.plusMillis(i / 100), false);
      states.put(id.value(), JobState.create(id, submitted));
    }
    return states;
  }

  private static Behavior<Spawn> spawning(Map<String, JobState> states) {
    return Behaviors.setup(
        context -> {
          ActorRef<Object> nobody = context.getSystem().ignoreRef();
          var environment =
              new JobEnvironment(
                  nobody.narrow(),
                  nobody::tell,
                  nobody.narrow(),
                  StoredSamples.codec(),
                  InstantSource.system(),
                  JobHarness.SETTINGS,
                  HistoryRules.KEEP_ALL);
          var unborn = Job.unborn(environment);
          return Behaviors.receiveMessage(
              spawn -> {
                for (var job : states.values()) {
                  var actor = context.spawn(unborn, job.id().value());
                  actor.tell(new Job.StartLive(job));
                  spawn.actors().put(job.id(), actor);
                }
                spawn.done().countDown();
                return Behaviors.same();
              });
        });
  }

  /// Used heap after the actors' start and garbage collections.
  private static long used() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 6; i++) {
      System.gc();
      new CountDownLatch(1).await(300, java.util.concurrent.TimeUnit.MILLISECONDS);
      var runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
