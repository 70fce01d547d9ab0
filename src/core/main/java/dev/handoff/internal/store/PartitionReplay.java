package dev.handoff.internal.store;

import java.util.List;

/// Replay of a partition, page by page.
public final class PartitionReplay {

  private PartitionReplay() {}

  /// Start of the next page. Opaque to callers.
  ///
  /// @param incarnation incarnation of the reading owner, or 0 for other readers
  /// @param base checkpoint being read, or -1 before the first page
  /// @param chunk next chunk, or -1 after the last one
  /// @param afterSeq last ledger row read
  public record Position(long incarnation, long base, int chunk, long afterSeq) {

    /// Start for readers that are no owners.
    public static final Position START = new Position(0, -1, 0, 0);

    /// Start for an owner. Reads fail with [StoreException.Held] once another owner has taken over
    /// the partition.
    public static Position startOf(PartitionOwnership owner) {
      return new Position(owner.incarnation(), -1, 0, 0);
    }

    public boolean isStart() {
      return base < 0;
    }

    public boolean isOf(long owner) {
      return incarnation == 0 || incarnation == owner;
    }

    /// Position after a page that started here.
    public Position next(long base, int chunk, long afterSeq) {
      return new Position(incarnation, base, chunk, afterSeq);
    }
  }

  /// Stored piece of a partition, in order.
  public sealed interface Piece {
    byte[] bytes();

    /// Location for messages about unreadable content.
    String place();
  }

  public record States(byte[] bytes, String place) implements Piece {}

  public record Facts(long seq, byte[] bytes, String place) implements Piece {}

  /// @param last whether this page is the last
  public record Page(List<Piece> pieces, Position next, boolean last) {
    public Page {
      pieces = List.copyOf(pieces);
    }
  }
}
