package dev.handoff.job;

import dev.handoff.ledger.Cbor;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.StoredEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The stored form of what an ordinary job writes on its way: submitted, claimed, started,
/// succeeded, and its state. The bytes are those that Jackson would write.
public enum OrdinaryForms implements FactCodec.Forms {
  INSTANCE;

  private static final int FACT = 128;
  private static final int STATE = 384;

  private static final Cbor.Name SUBMITTED = Cbor.Name.of("submitted");
  private static final Cbor.Name CLAIMED = Cbor.Name.of("claimed");
  private static final Cbor.Name STARTED = Cbor.Name.of("started");
  private static final Cbor.Name SUCCEEDED = Cbor.Name.of("succeeded");
  private static final Cbor.Name JOB = Cbor.Name.of("job");
  private static final Cbor.Name PENDING = Cbor.Name.of("pending");
  private static final Cbor.Name RUNNING = Cbor.Name.of("running");

  private static final Cbor.Name AT = Cbor.Name.of("at");
  private static final Cbor.Name ATTEMPT = Cbor.Name.of("attempt");
  private static final Cbor.Name ATTEMPTS = Cbor.Name.of("attempts");
  private static final Cbor.Name BY = Cbor.Name.of("by");
  private static final Cbor.Name CLAIMED_AT = Cbor.Name.of("claimedAt");
  private static final Cbor.Name CREATED_AT = Cbor.Name.of("createdAt");
  private static final Cbor.Name DUE = Cbor.Name.of("due");
  private static final Cbor.Name ENDED_AT = Cbor.Name.of("endedAt");
  private static final Cbor.Name ID = Cbor.Name.of("id");
  private static final Cbor.Name KEY = Cbor.Name.of("key");
  private static final Cbor.Name NUMBER = Cbor.Name.of("number");
  private static final Cbor.Name PAYLOAD = Cbor.Name.of("payload");
  private static final Cbor.Name PHASE = Cbor.Name.of("phase");
  private static final Cbor.Name POOL = Cbor.Name.of("pool");
  private static final Cbor.Name PRIORITY = Cbor.Name.of("priority");
  private static final Cbor.Name QUEUE = Cbor.Name.of("queue");
  private static final Cbor.Name RESULT = Cbor.Name.of("result");
  private static final Cbor.Name RUN_AT = Cbor.Name.of("runAt");
  private static final Cbor.Name SPEC = Cbor.Name.of("spec");
  private static final Cbor.Name STARTED_AT = Cbor.Name.of("startedAt");
  private static final Cbor.Name STARTS = Cbor.Name.of("starts");
  private static final Cbor.Name TRAIL = Cbor.Name.of("trail");
  private static final Cbor.Name TYPE = Cbor.Name.of("type");
  private static final Cbor.Name VERSION = Cbor.Name.of("version");
  private static final Cbor.Name WORKER = Cbor.Name.of("worker");

  @Override
  public byte @Nullable [] of(StoredEvent event) {
    var out = new Cbor(FACT);
    switch (event) {
      case JobFact.Submitted(var spec, var at, boolean held) when !held ->
          time(spec(out.typed(SUBMITTED), spec), AT, at);
      case JobFact.Claimed(int attempt, var by, var at) ->
          time(claimant(out.typed(CLAIMED).field(ATTEMPT, attempt), by), AT, at);
      case JobFact.Started(int attempt, var at) ->
          time(out.typed(STARTED).field(ATTEMPT, attempt), AT, at);
      case JobFact.Succeeded(int attempt, var result, var notes, var at, var contribution)
          when contribution == null && notes.equals(Notes.NONE) ->
          time(out.typed(SUCCEEDED).field(ATTEMPT, attempt).field(RESULT, result.utf8()), AT, at);
      default -> {
        return null;
      }
    }
    return out.endTyped().finished();
  }

  @Override
  public byte @Nullable [] of(EntityState state) {
    if (!(state instanceof JobState job)) {
      return null;
    }
    var out = new Cbor(STATE).typed(JOB).field(ID, job.id().value());
    time(spec(out, job.spec()), CREATED_AT, job.createdAt());
    out.field(VERSION, job.version()).field(ATTEMPT, job.attempt()).field(STARTS, job.starts());
    phase(out.name(PHASE), job.phase());
    if (!job.trail().equals(Trail.NONE)) {
      trail(out.name(TRAIL), job.trail());
    }
    return out.endTyped().finished();
  }

  private static Cbor spec(Cbor out, JobSpec spec) {
    out.name(SPEC).map().field(TYPE, spec.type()).field(PAYLOAD, spec.payload().utf8());
    if (!spec.queue().equals(JobSpec.DEFAULT_QUEUE)) {
      out.field(QUEUE, spec.queue());
    }
    if (spec.priority() != 0) {
      out.field(PRIORITY, spec.priority());
    }
    if (spec.key() != null) {
      out.field(KEY, spec.key());
    }
    if (spec.runAt() != null) {
      time(out, RUN_AT, spec.runAt());
    }
    if (!spec.options().equals(JobOptions.DEFAULT) || spec.origin() != null) {
      out.spoil();
    }
    return out.end();
  }

  private static void phase(Cbor out, Phase phase) {
    switch (phase) {
      case Phase.Pending(var due) -> time(out.typed(PENDING), DUE, due);
      case Phase.Claimed(var by, var at) -> time(claimant(out.typed(CLAIMED), by), AT, at);
      case Phase.Running(var by, var claimedAt, var startedAt) ->
          time(
              time(claimant(out.typed(RUNNING), by), CLAIMED_AT, claimedAt), STARTED_AT, startedAt);
      case Phase.Succeeded(var result, var at) ->
          time(out.typed(SUCCEEDED).field(RESULT, result.utf8()), AT, at);
      case Phase.Waiting rare -> out.map().spoil();
      case Phase.Stopping rare -> out.map().spoil();
      case Phase.Failed rare -> out.map().spoil();
      case Phase.Cancelled rare -> out.map().spoil();
    }
    out.endTyped();
  }

  private static void trail(Cbor out, Trail trail) {
    var attempts = trail.attempts();
    if (!trail.equals(new Trail(attempts, null, null, null, null, null))) {
      out.spoil();
    }
    out.map().name(ATTEMPTS).list(attempts.size());
    attempts.forEach(attempt -> attempt(out, attempt));
    out.end();
  }

  private static void attempt(Cbor out, AttemptRecord attempt) {
    out.map().field(NUMBER, attempt.number()).field(WORKER, attempt.worker());
    time(out, CLAIMED_AT, attempt.claimedAt());
    if (attempt.startedAt() != null) {
      time(out, STARTED_AT, attempt.startedAt());
    }
    time(out, ENDED_AT, attempt.endedAt());
    boolean ordinary =
        attempt.cause() == null
            && attempt.error() == null
            && !attempt.abandoned()
            && attempt.late() == null;
    if (!ordinary) {
      out.spoil();
    }
    out.end();
  }

  private static Cbor claimant(Cbor out, Claimant by) {
    return out.name(BY).map().field(POOL, by.pool().value()).field(WORKER, by.worker()).end();
  }

  private static Cbor time(Cbor out, Cbor.Name name, Instant time) {
    return out.field(name, time.toEpochMilli());
  }
}
