package dev.handoff.plan;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/// An immutable list of which other versions are made cheaply: a longer one, and one with another
/// item in a place, share all but a piece. A changeset may have twenty thousand entries and a plan
/// ten thousand steps, and of both every version is kept for a while.
final class SharingList<T> extends AbstractList<T> implements RandomAccess {

  private static final int BITS = 7;
  private static final int PIECE = 1 << BITS;

  /// All but the last one are full. Never changed.
  private final List<List<T>> pieces;

  private final int size;

  private SharingList(List<List<T>> pieces, int size) {
    this.pieces = pieces;
    this.size = size;
  }

  static <T> SharingList<T> of(List<? extends T> items) {
    return new SharingList<T>(List.of(), 0).plus(items);
  }

  /// The same list, if it is one, or a copy.
  static <T> SharingList<T> from(List<T> items) {
    return items instanceof SharingList<T> already ? already : of(items);
  }

  /// With some more at the end.
  SharingList<T> plus(List<? extends T> more) {
    var longer = new ArrayList<>(pieces);
    var last =
        size % PIECE == 0 ? new ArrayList<T>() : new ArrayList<>(longer.remove(longer.size() - 1));
    for (var item : more) {
      last.add(item);
      if (last.size() == PIECE) {
        longer.add(List.copyOf(last));
        last.clear();
      }
    }
    if (!last.isEmpty()) {
      longer.add(List.copyOf(last));
    }
    return new SharingList<>(longer, size + more.size());
  }

  /// With another item in the place of one.
  SharingList<T> with(int index, T item) {
    Objects.checkIndex(index, size);
    var changed = new ArrayList<>(pieces);
    var piece = new ArrayList<>(changed.get(index >> BITS));
    piece.set(index & (PIECE - 1), item);
    changed.set(index >> BITS, List.copyOf(piece));
    return new SharingList<>(changed, size);
  }

  @Override
  public T get(int index) {
    Objects.checkIndex(index, size);
    return pieces.get(index >> BITS).get(index & (PIECE - 1));
  }

  @Override
  public int size() {
    return size;
  }
}
