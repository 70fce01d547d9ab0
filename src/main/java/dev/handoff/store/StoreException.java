package dev.handoff.store;

/// What a store cannot do, told as the thing, the reason and the next step.
public sealed class StoreException extends RuntimeException {

  StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Somebody else holds the store.
  public static final class Held extends StoreException {
    public Held(String message) {
      super(message, null);
    }

    /// @param self who asks; a process has one name for all of its engines
    static Held by(String holder, String self, Object place) {
      var next =
          holder.equals(self)
              ? ", which is this process: close what has it open here first, or use that"
              : ": stop that process first, or ask it instead";
      return new Held("the store in %s is held by %s%s".formatted(place, holder, next));
    }
  }

  /// The content is damaged, or was written by a newer version.
  public static sealed class Unreadable extends StoreException {
    public Unreadable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /// The store as a whole was made by a newer version: nothing is wrong with it.
  public static final class Newer extends Unreadable {
    public Newer(String message) {
      super(message, null);
    }
  }

  /// The store does not fit what was asked of it: another number of partitions, a directory that
  /// cannot be made, a wrong URL.
  public static sealed class Unfit extends StoreException {
    public Unfit(String message) {
      super(message, null);
    }
  }

  /// There is no store to be read: the place is there, or can be made, and nobody has made one.
  public static final class Missing extends Unfit {
    public Missing(String message) {
      super(message);
    }
  }

  /// The database server lets nobody in with this user and password, or has no such database.
  public static final class Denied extends Unfit {
    public Denied(String message) {
      super(message);
    }
  }

  /// The store cannot be reached now.
  public static final class Unavailable extends StoreException {
    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
