package dev.handoff.store;

import static dev.handoff.store.Stages.get;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads whole things back, in tests.
final class Reading {

  private Reading() {}

  static List<Replay.Page> pages(Store store, int partition) {
    var pages = new ArrayList<Replay.Page>();
    var position = Replay.Position.START;
    do {
      pages.add(get(store.replay(partition, position)));
      position = pages.getLast().next();
    } while (!pages.getLast().last());
    return pages;
  }

  /// What a partition's replay holds, as text: `states: …` and `1: …`.
  static List<String> replay(Store store, int partition) {
    return pages(store, partition).stream()
        .flatMap(page -> page.pieces().stream())
        .map(Reading::text)
        .toList();
  }

  private static String text(Replay.Piece piece) {
    String bytes = new String(piece.bytes(), StandardCharsets.UTF_8);
    return switch (piece) {
      case Replay.States states -> "states: " + bytes;
      case Replay.Facts facts -> facts.seq() + ": " + bytes;
    };
  }
}
