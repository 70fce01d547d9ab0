package dev.handoff.internal.store;

import dev.handoff.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Failure of a database request.
public sealed interface DatabaseFailure {

  String reason();

  /// Database unreachable, out of space, or too slow.
  ///
  /// @param sessionLost whether a new session may succeed at once
  record Away(String reason, Duration retryAfter, boolean sessionLost, @Nullable Throwable cause)
      implements DatabaseFailure {}

  /// Refusal of the data itself; a retry would fail too.
  record Data(String reason) implements DatabaseFailure {}

  /// Stored data that is unreadable or foreign.
  record Damage(String reason, @Nullable Throwable cause) implements DatabaseFailure {}

  /// Another engine holds the store now.
  record Taken(String by) implements DatabaseFailure {
    @Override
    public String reason() {
      return "the store is held by " + by + " now";
    }
  }

  /// Result of a write. Damage has no result of its own, because a writer cannot repair it: it is
  /// answered like a lasting outage, and logged as damage.
  default WriteResult asResult(String what) {
    return switch (this) {
      case Away away -> new WriteResult.Away(what + ": " + away.reason(), away.retryAfter());
      case Data data -> new WriteResult.Refused(what + ": " + data.reason());
      case Damage damage -> new WriteResult.Away(what + ": " + damage.reason(), DAMAGE_RETRY);
      case Taken taken -> new WriteResult.Fenced(taken.by());
    };
  }

  /// Exception for all other requests.
  default StoreException asException(String what) {
    return switch (this) {
      case Away away -> new StoreException.Unavailable(what + ": " + away.reason(), away.cause());
      case Data data -> new StoreException.Unfit(what + ": " + data.reason());
      case Damage damage ->
          new StoreException.Unreadable(what + ": " + damage.reason(), damage.cause());
      case Taken taken -> new StoreException.Held(what + ": " + taken.reason());
    };
  }

  /// Same failure without an immediate retry.
  default DatabaseFailure atOnce() {
    return this instanceof Away away
        ? new Away(away.reason(), away.retryAfter(), false, away.cause())
        : this;
  }

  Duration DAMAGE_RETRY = Duration.ofSeconds(30);

  static Away closed() {
    return new Away("the store is closed", DAMAGE_RETRY, false, null);
  }

  static Away crowded(int waiting) {
    var reason = waiting + " requests wait for the store already: try again when it has caught up";
    return new Away(reason, Duration.ofSeconds(1), false, null);
  }
}
