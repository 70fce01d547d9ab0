package dev.handoff;

/// Thrown for a missing job in a store whose engine drops, or once dropped, jobs by
/// `handoff.history`. Either the job has ended and was not kept, or it never existed; the two cases
/// cannot be told apart.
public final class JobNotKeptException extends RuntimeException {

  public JobNotKeptException(JobId id) {
    super(
        "job %s has ended and was not kept (handoff.history), or was never accepted here"
            .formatted(id));
  }
}
