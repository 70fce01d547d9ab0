package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.testing.RandomSeeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ordinary form")
class FastFormsTest {

  private final FactCodec jackson = StoredSamples.codec();

  @Test
  void ofAFactIsWhatJacksonWrites() {
    for (var fact : StoredSamples.facts().values()) {
      sameOrNone(fact);
    }
  }

  @Test
  void ofAStateIsWhatJacksonWrites() {
    JobSituations.situations().values().forEach(this::sameOrNone);
    sameOrNone(StoredSamples.full());
  }

  @Test
  void isThereForWhatAnOrdinaryJobWrites() {
    var job = JobSituations.submitted(JobSpec.of("resize", Json.of("{\"file\":\"a.png\"}")));
    var facts = List.of(JobSituations.claim(), JobSituations.started(1), won());

    assertThat(FastForms.INSTANCE.of(new JobFact.Submitted(job.spec(), JobSituations.NOW, false)))
        .isNotNull();
    assertThat(FastForms.INSTANCE.of(job)).isNotNull();
    for (var command : facts) {
      var decision = JobSituations.decide(job, command);
      job = JobSituations.after(job, decision);
      assertThat(FastForms.INSTANCE.of(decision.facts().getFirst())).isNotNull();
      assertThat(FastForms.INSTANCE.of(job)).isNotNull();
    }
  }

  @Test
  void isNotThereForWhatIsOutOfTheOrdinary() {
    var labelled = new JobOptions(null, null, 3, Backoff.DEFAULT, Map.of("team", "mail"));
    var child = JobSituations.spec().childOf(JobSituations.ID);
    var specs =
        List.of(
            spec("größer", 0, null, null, JobOptions.DEFAULT),
            spec("a", -1, null, null, JobOptions.DEFAULT),
            spec("a", 0, "k".repeat(256), null, JobOptions.DEFAULT),
            spec("a", 0, null, Instant.EPOCH.minusMillis(1), JobOptions.DEFAULT),
            spec("a", 0, null, null, labelled),
            child);

    for (var spec : specs) {
      var fact = new JobFact.Submitted(spec, JobSituations.NOW, false);
      assertThat(FastForms.INSTANCE.of(fact)).as("%s", spec).isNull();
    }
  }

  @Test
  void isWhatJacksonWritesOfAnyJob() {
    RandomSeeds.each(
        2_000,
        random -> {
          var fact =
              new JobFact.Submitted(anySpec(random), anyTime(random), random.nextInt(9) == 0);
          sameOrNone(fact);
          var job = JobState.create(JobSituations.id(random.nextInt(99)), fact);
          for (int i = 0; i < 6; i++) {
            sameOrNone(job);
            var commands = new ArrayList<>(JobSituations.commands(job).values());
            commands.add(
                new JobCommand.Claim(new ClaimingWorker(new PoolId(anyText(random)), "worker-1")));
            var decision = JobSituations.decide(job, commands.get(random.nextInt(commands.size())));
            decision.facts().forEach(this::sameOrNone);
            job = JobSituations.after(job, decision);
          }
        });
  }

  private void sameOrNone(JobFact fact) {
    var form = FastForms.INSTANCE.of(fact);
    if (form != null) {
      assertThat(form).as("%s", fact).isEqualTo(jackson.encode(JobSituations.ID, fact).encoded());
    }
  }

  private void sameOrNone(JobState state) {
    var form = FastForms.INSTANCE.of(state);
    if (form != null) {
      assertThat(form).as("%s", state).isEqualTo(jackson.encodeState(state));
    }
  }

  private static JobSpec spec(
      String type,
      int priority,
      @Nullable String key,
      @Nullable Instant runAt,
      JobOptions options) {
    return new JobSpec(type, Json.NULL, "default", priority, key, runAt, options, null);
  }

  private static JobCommand won() {
    return JobSituations.report(1, new AttemptReport.Returned(JobSituations.RESULT));
  }

  private static JobSpec anySpec(RandomGenerator random) {
    var options =
        random.nextInt(9) == 0
            ? new JobOptions(
                Duration.ofMillis(random.nextLong(1, 99)), null, 3, Backoff.DEFAULT, Map.of())
            : JobOptions.DEFAULT;
    return new JobSpec(
        anyText(random),
        Json.of("x".repeat(anyLength(random))),
        random.nextBoolean() ? JobSpec.DEFAULT_QUEUE : anyText(random),
        random.nextInt(3) == 0 ? random.nextInt(-9, 99_999) : 0,
        random.nextBoolean() ? null : anyText(random),
        random.nextBoolean() ? null : anyTime(random),
        options,
        null);
  }

  private static String anyText(RandomGenerator random) {
    return (random.nextInt(9) == 0 ? "ö" : "a").repeat(Math.min(500, anyLength(random)));
  }

  private static int anyLength(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(3);
      case 1 -> 22 + random.nextInt(4);
      case 2 -> 254 + random.nextInt(4);
      case 3 -> 65_534 + random.nextInt(4);
      default -> random.nextInt(300);
    };
  }

  private static Instant anyTime(RandomGenerator random) {
    return Instant.ofEpochMilli(random.nextLong(1L << random.nextInt(1, 42)));
  }
}
