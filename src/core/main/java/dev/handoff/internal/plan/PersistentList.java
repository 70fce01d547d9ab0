package dev.handoff.internal.plan;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/// Immutable list with cheap new versions: an append or a replacement shares all but one chunk. A
/// changeset may have twenty thousand entries and a plan ten thousand steps, and every version
/// lives for a while.
final class PersistentList<T> extends AbstractList<T> implements RandomAccess {

  private static final int BITS = 7;
  private static final int PIECE = 1 << BITS;

  /// Immutable chunks; all except the last are full.
  private final List<List<T>> pieces;

  private final int size;

  private PersistentList(List<List<T>> pieces, int size) {
    this.pieces = pieces;
    this.size = size;
  }

  static <T> PersistentList<T> of(List<? extends T> items) {
    return new PersistentList<T>(List.of(), 0).plus(items);
  }

  /// Same list if it is a [PersistentList], else a copy.
  static <T> PersistentList<T> from(List<T> items) {
    return items instanceof PersistentList<T> already ? already : of(items);
  }

  /// Version with items appended.
  PersistentList<T> plus(List<? extends T> more) {
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
    return new PersistentList<>(longer, size + more.size());
  }

  /// Version with one item replaced.
  PersistentList<T> with(int index, T item) {
    Objects.checkIndex(index, size);
    var changed = new ArrayList<>(pieces);
    var piece = new ArrayList<>(changed.get(index >> BITS));
    piece.set(index & (PIECE - 1), item);
    changed.set(index >> BITS, List.copyOf(piece));
    return new PersistentList<>(changed, size);
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
