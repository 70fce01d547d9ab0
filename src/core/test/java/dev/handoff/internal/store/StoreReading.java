package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads all pages of a replay.
public final class StoreReading {

  private StoreReading() {}

  public static List<PartitionReplay.Page> pages(Store store, int partition) {
    var pages = new ArrayList<PartitionReplay.Page>();
    var position = PartitionReplay.Position.START;
    do {
      pages.add(get(store.replay(partition, position)));
      position = pages.getLast().next();
    } while (!pages.getLast().last());
    return pages;
  }

  /// Replay of a partition as text: `states: …` and `1: …`.
  public static List<String> replay(Store store, int partition) {
    return pages(store, partition).stream()
        .flatMap(page -> page.pieces().stream())
        .map(StoreReading::text)
        .toList();
  }

  private static String text(PartitionReplay.Piece piece) {
    String bytes = new String(piece.bytes(), StandardCharsets.UTF_8);
    return switch (piece) {
      case PartitionReplay.States states -> "states: " + bytes;
      case PartitionReplay.Facts facts -> facts.seq() + ": " + bytes;
    };
  }
}
