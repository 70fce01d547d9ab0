package dev.handoff.internal.plan;

import dev.handoff.internal.store.BlobUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// FIFO backlog of blobs to store. Selects the requests of the next write.
final class BlobBacklog {

  /// Estimated memory of a waiting request besides its contents, in bytes.
  private static final int OVERHEAD = 256;

  /// Waiting request.
  record Item(Blobs.Keep keep, BlobUse use, long bytes) {

    static Item of(Blobs.Keep keep) {
      var use = new BlobUse(keep.owner(), keep.contents(), keep.known());
      return new Item(keep, use, OVERHEAD + use.bytes());
    }

    private int contents() {
      return use.contents().size() + use.known().size();
    }
  }

  private final Blobs.Settings settings;
  private final Deque<Item> items = new ArrayDeque<>();
  private long bytes;

  /// Number of requests at the front to write separately, because the store refused their common
  /// write.
  private int suspects;

  BlobBacklog(Blobs.Settings settings) {
    this.settings = settings;
  }

  /// Adds a request and returns true, or returns false if the backlog is full. A request larger
  /// than the whole backlog is accepted when the backlog is empty.
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

  /// Puts a refused write back in front, for one write per request.
  void apart(List<Item> refused) {
    suspects = refused.size();
    for (var item : refused.reversed()) {
      items.addFirst(item);
      bytes += item.bytes();
    }
  }

  /// Removes and returns all requests.
  List<Item> drain() {
    var all = List.copyOf(items);
    items.clear();
    bytes = 0;
    suspects = 0;
    return all;
  }
}
