package dev.handoff.internal.job;

import dev.handoff.internal.ledger.CborWriter;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.StoredEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Fast encoder for the facts and the state of an ordinary job: submitted, claimed, started,
/// succeeded. Its bytes equal those of Jackson.
public enum FastForms implements FactCodec.Forms {
  INSTANCE;

  private static final int FACT = 128;
  private static final int STATE = 384;

  private static final CborWriter.Name SUBMITTED = CborWriter.Name.of("submitted");
  private static final CborWriter.Name CLAIMED = CborWriter.Name.of("claimed");
  private static final CborWriter.Name STARTED = CborWriter.Name.of("started");
  private static final CborWriter.Name SUCCEEDED = CborWriter.Name.of("succeeded");
  private static final CborWriter.Name JOB = CborWriter.Name.of("job");
  private static final CborWriter.Name PENDING = CborWriter.Name.of("pending");
  private static final CborWriter.Name RUNNING = CborWriter.Name.of("running");

  private static final CborWriter.Name AT = CborWriter.Name.of("at");
  private static final CborWriter.Name ATTEMPT = CborWriter.Name.of("attempt");
  private static final CborWriter.Name ATTEMPTS = CborWriter.Name.of("attempts");
  private static final CborWriter.Name BY = CborWriter.Name.of("by");
  private static final CborWriter.Name CLAIMED_AT = CborWriter.Name.of("claimedAt");
  private static final CborWriter.Name CREATED_AT = CborWriter.Name.of("createdAt");
  private static final CborWriter.Name DUE = CborWriter.Name.of("due");
  private static final CborWriter.Name ENDED_AT = CborWriter.Name.of("endedAt");
  private static final CborWriter.Name ID = CborWriter.Name.of("id");
  private static final CborWriter.Name KEY = CborWriter.Name.of("key");
  private static final CborWriter.Name NUMBER = CborWriter.Name.of("number");
  private static final CborWriter.Name PAYLOAD = CborWriter.Name.of("payload");
  private static final CborWriter.Name PHASE = CborWriter.Name.of("phase");
  private static final CborWriter.Name POOL = CborWriter.Name.of("pool");
  private static final CborWriter.Name PRIORITY = CborWriter.Name.of("priority");
  private static final CborWriter.Name QUEUE = CborWriter.Name.of("queue");
  private static final CborWriter.Name RESULT = CborWriter.Name.of("result");
  private static final CborWriter.Name RUN_AT = CborWriter.Name.of("runAt");
  private static final CborWriter.Name SPEC = CborWriter.Name.of("spec");
  private static final CborWriter.Name STARTED_AT = CborWriter.Name.of("startedAt");
  private static final CborWriter.Name STARTS = CborWriter.Name.of("starts");
  private static final CborWriter.Name TRAIL = CborWriter.Name.of("trail");
  private static final CborWriter.Name TYPE = CborWriter.Name.of("type");
  private static final CborWriter.Name VERSION = CborWriter.Name.of("version");
  private static final CborWriter.Name WORKER = CborWriter.Name.of("worker");

  @Override
  public byte @Nullable [] of(StoredEvent event) {
    var out = new CborWriter(FACT);
    switch (event) {
      case JobFact.Submitted(var spec, var at, boolean held) when !held ->
          time(spec(out.typed(SUBMITTED), spec), AT, at);
      case JobFact.Claimed(int attempt, var by, var at) ->
          time(claimant(out.typed(CLAIMED).field(ATTEMPT, attempt), by), AT, at);
      case JobFact.Started(int attempt, var at) ->
          time(out.typed(STARTED).field(ATTEMPT, attempt), AT, at);
      case JobFact.Succeeded(int attempt, var result, var notes, var at, var contribution)
          when contribution == null && notes.equals(AttemptNotes.NONE) ->
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
    var out = new CborWriter(STATE).typed(JOB).field(ID, job.id().value());
    time(spec(out, job.spec()), CREATED_AT, job.createdAt());
    out.field(VERSION, job.version()).field(ATTEMPT, job.attempt()).field(STARTS, job.starts());
    phase(out.name(PHASE), job.phase());
    if (!job.trail().equals(JobTrail.NONE)) {
      trail(out.name(TRAIL), job.trail());
    }
    return out.endTyped().finished();
  }

  private static CborWriter spec(CborWriter out, JobSpec spec) {
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

  private static void phase(CborWriter out, JobPhase phase) {
    switch (phase) {
      case JobPhase.Pending(var due) -> time(out.typed(PENDING), DUE, due);
      case JobPhase.Claimed(var by, var at) -> time(claimant(out.typed(CLAIMED), by), AT, at);
      case JobPhase.Running(var by, var claimedAt, var startedAt) ->
          time(
              time(claimant(out.typed(RUNNING), by), CLAIMED_AT, claimedAt), STARTED_AT, startedAt);
      case JobPhase.Succeeded(var result, var at) ->
          time(out.typed(SUCCEEDED).field(RESULT, result.utf8()), AT, at);
      case JobPhase.Waiting rare -> out.map().spoil();
      case JobPhase.Stopping rare -> out.map().spoil();
      case JobPhase.Failed rare -> out.map().spoil();
      case JobPhase.Cancelled rare -> out.map().spoil();
    }
    out.endTyped();
  }

  private static void trail(CborWriter out, JobTrail trail) {
    var attempts = trail.attempts();
    if (!trail.equals(new JobTrail(attempts, null, null, null, null, null))) {
      out.spoil();
    }
    out.map().name(ATTEMPTS).list(attempts.size());
    attempts.forEach(attempt -> attempt(out, attempt));
    out.end();
  }

  private static void attempt(CborWriter out, AttemptRecord attempt) {
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

  private static CborWriter claimant(CborWriter out, ClaimingWorker by) {
    return out.name(BY).map().field(POOL, by.pool().value()).field(WORKER, by.worker()).end();
  }

  private static CborWriter time(CborWriter out, CborWriter.Name name, Instant time) {
    return out.field(name, time.toEpochMilli());
  }
}
