package dev.handoff.store;

import java.util.Map;

/// What a store says of its own making, in `handoff_meta`, held against what is asked of it.
///
/// @param version of its tables
/// @param mayHaveDropped whether an engine has had it that drops jobs
record Layout(int version, int partitions, boolean mayHaveDropped) {

  /// The version of the tables that this code makes and reads.
  static final int VERSION = 4;

  /// The first version that keeps contents. A store of the one before is read as one without.
  static final int WITH_BLOBS = 2;

  /// The first version whose history has fingerprints of what has a key.
  static final int WITH_FINGERPRINTS = 3;

  /// The first version with keys that have no row in history.
  static final int WITH_KEPT_KEYS = 4;

  static final int MOST_PARTITIONS = 1_024;

  /// Since when an engine that drops jobs has had the store; not there if none has.
  static final String DROPS = "drops_since";

  static Layout check(Map<String, String> meta, int asked, String place) {
    int version = number(meta, "version", place);
    if (version > VERSION) {
      throw new StoreException.Newer(
          "the store in %s has version %d, this program reads up to version %d: use a newer program"
              .formatted(place, version, VERSION));
    }
    if (version < 1) {
      throw new StoreException.Unreadable(
          "the store in %s has version %d, which never was".formatted(place, version), null);
    }
    int partitions = number(meta, "partitions", place);
    if (asked != 0 && asked != partitions) {
      throw new StoreException.Unfit(
          "the store in %s was made with %d partitions, %d are asked for: ask for %2$d"
              .formatted(place, partitions, asked));
    }
    return new Layout(version, partitions, meta.containsKey(DROPS));
  }

  /// How many partitions a new store gets.
  static int fresh(int asked, String place) {
    if (asked < 1 || asked > MOST_PARTITIONS) {
      throw new StoreException.Unfit(
          "there is no store in %s yet, and a new one needs 1 to %d partitions, not %d"
              .formatted(place, MOST_PARTITIONS, asked));
    }
    return asked;
  }

  /// Every partition of a store has a row from the start.
  static void checkRows(long found, int partitions, String place) {
    if (found != partitions) {
      throw new StoreException.Unreadable(
          "the store in %s has rows for %d of its %d partitions"
              .formatted(place, found, partitions),
          null);
    }
  }

  private static int number(Map<String, String> meta, String name, String place) {
    String value = meta.get(name);
    try {
      return Integer.parseInt(String.valueOf(value));
    } catch (NumberFormatException unreadable) {
      throw new StoreException.Unreadable(
          "the store in %s says of itself %s = %s".formatted(place, name, value), unreadable);
    }
  }
}
