package dev.handoff;

/// Thrown to a watcher that missed events: it was too slow, or came back too late. To recover, read
/// the jobs themselves, then watch again.
public final class EventGapException extends RuntimeException {

  private final long next;

  public EventGapException(long next) {
    super("events before %d are gone: look at the jobs, then watch from there".formatted(next));
    this.next = next;
  }

  /// Number of the oldest event that is still available.
  public long next() {
    return next;
  }
}
