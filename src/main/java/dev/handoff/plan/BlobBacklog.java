package dev.handoff.plan;

import dev.handoff.store.Keeping;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// What waits to be stored, in the order of arrival, and which of it is the next write.
final class BlobBacklog {

  /// What one that waits takes besides its contents.
  private static final int OVERHEAD = 256;

  /// One that waits.
  record Item(Blobs.Keep keep, Keeping keeping, long bytes) {

    static Item of(Blobs.Keep keep) {
      var keeping = new Keeping(keep.owner(), keep.contents(), keep.known());
      return new Item(keep, keeping, OVERHEAD + keeping.bytes());
    }

    private int contents() {
      return keeping.contents().size() + keeping.known().size();
    }
  }

  private final Blobs.Settings settings;
  private final Deque<Item> items = new ArrayDeque<>();
  private long bytes;

  /// How many of those in front are written alone, because a write with all of them was refused.
  private int suspects;

  BlobBacklog(Blobs.Settings settings) {
    this.settings = settings;
  }

  /// Answers whether there was room. What is larger than all the room has its turn when nothing
  /// else waits.
  boolean add(Item item) {
    if (!items.isEmpty() && bytes + item.bytes() > settings.backlogBytes()) {
      return false;
    }
    items.add(item);
    bytes += item.bytes();
    return true;
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  long bytes() {
    return bytes;
  }

  List<Item> next() {
    var next = new ArrayList<Item>();
    long taken = 0;
    int contents = 0;
    while (!items.isEmpty() && (next.isEmpty() || hasRoom(taken, contents))) {
      var item = items.remove();
      next.add(item);
      taken += item.bytes();
      contents += item.contents();
    }
    bytes -= taken;
    suspects = Math.max(0, suspects - 1);
    return next;
  }

  private boolean hasRoom(long taken, int contents) {
    return suspects == 0 && taken < settings.batchBytes() && contents < settings.batchContents();
  }

  /// Puts a write back in front, to be written one by one.
  void apart(List<Item> refused) {
    suspects = refused.size();
    for (var item : refused.reversed()) {
      items.addFirst(item);
      bytes += item.bytes();
    }
  }

  /// Takes everything out.
  List<Item> drain() {
    var all = List.copyOf(items);
    items.clear();
    bytes = 0;
    suspects = 0;
    return all;
  }
}
