package dev.handoff.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Why the database did not do what it was asked to.
sealed interface Trouble {

  String reason();

  /// It cannot be reached, is out of room, or is too slow.
  ///
  /// @param sessionLost whether a new session may do at once what this one could not
  record Away(String reason, Duration retryAfter, boolean sessionLost, @Nullable Throwable cause)
      implements Trouble {}

  /// It refuses the content itself, and would again.
  record Data(String reason) implements Trouble {}

  /// What is stored cannot be read, or is not what we made.
  record Damage(String reason, @Nullable Throwable cause) implements Trouble {}

  /// Somebody else holds the store now.
  record Taken(String by) implements Trouble {
    @Override
    public String reason() {
      return "the store is held by " + by + " now";
    }
  }

  /// How a write tells of it. There is no answer for damage, because nothing that a writer could do
  /// heals it: it looks like an outage that lasts, and is logged as what it is.
  default WriteResult asResult(String what) {
    return switch (this) {
      case Away away -> new WriteResult.Away(what + ": " + away.reason(), away.retryAfter());
      case Data data -> new WriteResult.Refused(what + ": " + data.reason());
      case Damage damage -> new WriteResult.Away(what + ": " + damage.reason(), DAMAGE_RETRY);
      case Taken taken -> new WriteResult.Fenced(taken.by());
    };
  }

  /// How everything else tells of it.
  default StoreException asException(String what) {
    return switch (this) {
      case Away away -> new StoreException.Unavailable(what + ": " + away.reason(), away.cause());
      case Data data -> new StoreException.Unfit(what + ": " + data.reason());
      case Damage damage ->
          new StoreException.Unreadable(what + ": " + damage.reason(), damage.cause());
      case Taken taken -> new StoreException.Held(what + ": " + taken.reason());
    };
  }

  /// The same, but not to be tried a second time at once.
  default Trouble atOnce() {
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
