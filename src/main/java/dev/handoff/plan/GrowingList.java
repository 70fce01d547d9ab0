package dev.handoff.plan;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/// An immutable list of which longer versions are made cheaply: they share all but the last piece.
/// A changeset grows with each record, and both the plan and its ledger keep every version for a
/// while.
final class GrowingList<T> extends AbstractList<T> implements RandomAccess {

  private static final int BITS = 7;
  private static final int PIECE = 1 << BITS;
  private static final Object[][] NO_PIECES = {};

  private final Object[][] pieces;
  private final int size;

  private GrowingList(Object[][] pieces, int size) {
    this.pieces = pieces;
    this.size = size;
  }

  static <T> GrowingList<T> of(List<? extends T> items) {
    return new GrowingList<T>(NO_PIECES, 0).plus(items);
  }

  /// The same list, if it is one, or a copy.
  @SuppressWarnings("unchecked")
  static <T> GrowingList<T> from(List<T> items) {
    return items instanceof GrowingList<?> already ? (GrowingList<T>) already : of(items);
  }

  /// With some more at the end.
  GrowingList<T> plus(List<? extends T> more) {
    int next = size + more.size();
    var longer = Arrays.copyOf(pieces, (next + PIECE - 1) >> BITS);
    int at = size;
    for (var item : more) {
      int piece = at >> BITS;
      int place = at & (PIECE - 1);
      if (place == 0) {
        longer[piece] = new Object[Math.min(PIECE, next - at)];
      } else if (longer[piece].length == place || at == size) {
        longer[piece] = Arrays.copyOf(longer[piece], Math.min(PIECE, place + next - at));
      }
      longer[piece][place] = Objects.requireNonNull(item);
      at++;
    }
    return new GrowingList<>(longer, next);
  }

  @Override
  @SuppressWarnings("unchecked")
  public T get(int index) {
    Objects.checkIndex(index, size);
    return (T) pieces[index >> BITS][index & (PIECE - 1)];
  }

  @Override
  public int size() {
    return size;
  }
}
