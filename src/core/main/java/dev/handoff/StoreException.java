package dev.handoff;

/// Failure of a store. The message names the object, the reason and the next step.
public sealed class StoreException extends RuntimeException {

  StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Another process or engine holds the store.
  public static final class Held extends StoreException {
    public Held(String message) {
      super(message, null);
    }

    /// @param self name of the caller's process; all engines of a process share it
    public static Held by(String holder, String self, Object place) {
      var next =
          holder.equals(self)
              ? ", which is this process: close what has it open here first, or use that"
              : ": stop that process first, or ask it instead";
      return new Held("the store in %s is held by %s%s".formatted(place, holder, next));
    }
  }

  /// Damaged content, or content of a newer version.
  public static sealed class Unreadable extends StoreException {
    public Unreadable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /// Intact store of a newer version.
  public static final class Newer extends Unreadable {
    public Newer(String message) {
      super(message, null);
    }
  }

  /// Mismatch of store and settings: another number of partitions, a directory that cannot be
  /// created, a wrong URL.
  public static sealed class Unfit extends StoreException {
    public Unfit(String message) {
      super(message, null);
    }
  }

  /// Missing store that cannot be read, because none was created at this place.
  public static final class Missing extends Unfit {
    public Missing(String message) {
      super(message);
    }
  }

  /// Login refused by the database server, or no such database.
  public static final class Denied extends Unfit {
    public Denied(String message) {
      super(message);
    }
  }

  /// Store that is unreachable now.
  public static final class Unavailable extends StoreException {
    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
