package dev.handoff;

/// A watcher has missed events: it was too slow, or comes back too late. It has to look at the jobs
/// themselves, and can then watch from now on.
public final class EventGapException extends RuntimeException {

  private final long next;

  EventGapException(long next) {
    super("events before %d are gone: look at the jobs, then watch from there".formatted(next));
    this.next = next;
  }

  /// The number of the oldest event that can still be had.
  public long next() {
    return next;
  }
}
