package dev.handoff.internal.plan.change;

import dev.handoff.StoreException;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.UnreadableChanges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Request for several contents, each with its place of use for error messages.
final class ContentRequest {

  private final Map<String, String> places = new LinkedHashMap<>();

  /// @param place place of use, as the start of a sentence
  void add(@Nullable ContentRef content, String place) {
    if (content != null) {
      places.putIfAbsent(content.sha256(), place);
    }
  }

  void add(String sha256, String place) {
    places.putIfAbsent(sha256, place);
  }

  /// Reads all contents.
  ///
  /// @throws UnreadableChanges if a content is missing or damaged
  Map<String, byte[]> read(ContentReader contents) {
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

  private Map<String, byte[]> found(ContentReader contents) {
    try {
      return contents.read(places.keySet());
    } catch (StoreException.Unreadable damaged) {
      throw new UnreadableChanges(firstDamaged(contents) + " is damaged in the store", damaged);
    }
  }

  private String firstDamaged(ContentReader contents) {
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
