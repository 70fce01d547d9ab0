package dev.handoff.internal.store;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import java.util.Map;

/// Layout of a store from `handoff_meta`, checked against the settings.
///
/// @param version version of the tables
/// @param mayHaveDropped whether an engine that drops jobs has ever used the store
public record StoreLayout(int version, int partitions, boolean mayHaveDropped) {

  /// Table version that this code creates and reads.
  public static final int VERSION = 4;

  /// First version with contents. An older store is read as one without contents.
  static final int WITH_BLOBS = 2;

  /// First version with fingerprints of keyed rows in history.
  static final int WITH_FINGERPRINTS = 3;

  /// First version with keys that have no history row.
  static final int WITH_KEPT_KEYS = 4;

  static final int MOST_PARTITIONS = 1_024;

  /// Time since when an engine that drops jobs has used the store; absent if none has.
  static final String DROPS = "drops_since";

  static StoreLayout check(Map<String, String> meta, int asked, String place) {
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
    return new StoreLayout(version, partitions, meta.containsKey(DROPS));
  }

  /// Number of partitions of a new store.
  public static int fresh(StoreSettings settings, String place) {
    int asked =
        settings.partitions() == 0 ? settings.kind().usualPartitions() : settings.partitions();
    if (asked < 1 || asked > MOST_PARTITIONS) {
      throw new StoreException.Unfit(
          "there is no store in %s yet, and a new one needs 1 to %d partitions, not %d"
              .formatted(place, MOST_PARTITIONS, asked));
    }
    return asked;
  }

  /// Checks that every partition has a row.
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
