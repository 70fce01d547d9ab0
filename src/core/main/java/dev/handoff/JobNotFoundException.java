package dev.handoff;

/// Thrown for an unknown job id: the job never existed, or history no longer has it.
public final class JobNotFoundException extends RuntimeException {

  public JobNotFoundException(JobId id) {
    super(
        "job %s does not exist: it was never accepted here, or is older than the retention of history"
            .formatted(id));
  }
}
