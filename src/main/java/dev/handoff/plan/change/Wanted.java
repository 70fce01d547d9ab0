package dev.handoff.plan.change;

import dev.handoff.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Contents that are asked for together, each with the place that needs it: what cannot be had is
/// told with that place.
final class Wanted {

  private final Map<String, String> places = new LinkedHashMap<>();

  /// @param place who needs it, as the beginning of a sentence
  void add(@Nullable ContentRef content, String place) {
    if (content != null) {
      places.putIfAbsent(content.sha256(), place);
    }
  }

  void add(String sha256, String place) {
    places.putIfAbsent(sha256, place);
  }

  /// All of them.
  ///
  /// @throws UnreadableChanges if one of them is missing or damaged
  Map<String, byte[]> read(Contents contents) {
    Map<String, byte[]> found = found(contents);
    places.forEach(
        (sha, place) -> {
          var content = found.get(sha);
          if (content == null) {
            throw new UnreadableChanges(place + " is missing in the store (" + sha + ")");
          }
        });
    return found;
  }

  private Map<String, byte[]> found(Contents contents) {
    try {
      return contents.read(places.keySet());
    } catch (StoreException.Unreadable damaged) {
      throw new UnreadableChanges(firstDamaged(contents) + " is damaged in the store", damaged);
    }
  }

  private String firstDamaged(Contents contents) {
    for (var place : places.entrySet()) {
      try {
        contents.read(List.of(place.getKey()));
      } catch (StoreException.Unreadable damaged) {
        return place.getValue() + " (" + place.getKey() + ")";
      }
    }
    return "One of the contents";
  }
}
