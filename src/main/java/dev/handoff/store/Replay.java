package dev.handoff.store;

import java.util.List;

/// Reading a partition back, page by page.
public final class Replay {

  private Replay() {}

  /// Where the next page begins. Opaque to callers.
  ///
  /// @param base the checkpoint that is being read, or -1 before the first page
  /// @param chunk the next chunk of it, or -1 when its chunks are through
  /// @param afterSeq the last ledger row that was read
  public record Position(long base, int chunk, long afterSeq) {
    public static final Position START = new Position(-1, 0, 0);
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
