package dev.handoff.store;

import java.util.List;

/// Reading a partition back, page by page.
public final class Replay {

  private Replay() {}

  /// Where the next page begins. Opaque to callers.
  ///
  /// @param incarnation of the owner that reads, or 0 for a reader that owns nothing
  /// @param base the checkpoint that is being read, or -1 before the first page
  /// @param chunk the next chunk of it, or -1 when its chunks are through
  /// @param afterSeq the last ledger row that was read
  public record Position(long incarnation, long base, int chunk, long afterSeq) {

    /// The start, for a reader that owns nothing.
    public static final Position START = new Position(0, -1, 0, 0);

    /// The start, for an owner. Reading fails as [StoreException.Held] once somebody else has taken
    /// the partition over.
    public static Position startOf(Ownership owner) {
      return new Position(owner.incarnation(), -1, 0, 0);
    }

    boolean isStart() {
      return base < 0;
    }

    boolean isOf(long owner) {
      return incarnation == 0 || incarnation == owner;
    }

    /// The position after a page that began here.
    Position next(long base, int chunk, long afterSeq) {
      return new Position(incarnation, base, chunk, afterSeq);
    }
  }

  /// A piece of what was stored, in order.
  public sealed interface Piece {
    byte[] bytes();

    /// Where it stands, for messages about content that cannot be read.
    String place();
  }

  public record States(byte[] bytes, String place) implements Piece {}

  public record Facts(long seq, byte[] bytes, String place) implements Piece {}

  /// @param last whether nothing follows
  public record Page(List<Piece> pieces, Position next, boolean last) {
    public Page {
      pieces = List.copyOf(pieces);
    }
  }
}
