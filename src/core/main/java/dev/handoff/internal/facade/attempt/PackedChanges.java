package dev.handoff.internal.facade.attempt;

import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.Content;
import dev.handoff.plan.ContentRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Changes with hashed and compressed contents.
public final class PackedChanges {

  private final List<Change> changes;
  private final SequencedMap<String, PackedBlob> blobs = new LinkedHashMap<>();
  private final Set<String> known = new HashSet<>();
  private final Map<Content, String> names = new HashMap<>();

  private PackedChanges(List<Change> changes) {
    this.changes = changes;
    for (var change : changes) {
      add(change.before());
      add(change.after());
    }
    known.removeAll(blobs.keySet());
  }

  private PackedChanges(PackedBlob one) {
    this.changes = List.of();
    blobs.put(one.sha256(), one);
  }

  /// Hashes and compresses the contents of changes on the caller's thread, which takes time.
  ///
  /// @param changes valid changes
  public static PackedChanges of(List<Change> changes) {
    return new PackedChanges(changes);
  }

  /// A single content without changes, such as a changeset body.
  public static PackedChanges ofNone(byte[] content) {
    return new PackedChanges(PackedBlob.of(content));
  }

  /// Hashes of contents that the store should already have.
  Set<String> known() {
    return known;
  }

  /// Contents in write batches, in order; at least one batch, even without new contents.
  List<List<PackedBlob>> writes() {
    var writes = new ArrayList<List<PackedBlob>>();
    var write = new ArrayList<PackedBlob>();
    long bytes = 0;
    for (var blob : blobs.values()) {
      if (bytes >= ContentKeeper.WRITTEN_AT_ONCE) {
        writes.add(write);
        write = new ArrayList<>();
        bytes = 0;
      }
      write.add(blob);
      bytes += blob.packedLength();
    }
    writes.add(write);
    return writes;
  }

  /// Hash of the single content.
  public String sha256() {
    return blobs.firstEntry().getKey();
  }

  private void add(@Nullable Content content) {
    switch (content) {
      case null -> {}
      case Content.Stored(var sha256) -> {
        known.add(sha256);
        names.put(content, sha256);
      }
      case Content.Bytes bytes -> {
        if (!names.containsKey(bytes)) {
          var blob = PackedBlob.of(bytes.bytes());
          names.put(bytes, blob.sha256());
          blobs.put(blob.sha256(), blob);
        }
      }
    }
  }

  /// Changes that refer to their contents by hash, or the reason for a refusal.
  ///
  /// @param lengths lengths of the already stored contents, by hash
  ContentKeeper.Kept named(Map<String, Integer> lengths) {
    var named = new ArrayList<FileEdit>();
    for (var change : changes) {
      var before = ref(change.before(), lengths);
      var after = ref(change.after(), lengths);
      if (Objects.equals(before, after)) {
        return new ContentKeeper.NotKept(
            new ChangeAnswer.Invalid(
                "\"%s\" holds the same before and after".formatted(change.path())));
      }
      named.add(new FileEdit(change.path(), before, after));
    }
    return new ContentKeeper.Named(List.copyOf(named));
  }

  private @Nullable ContentRef ref(@Nullable Content content, Map<String, Integer> lengths) {
    if (content == null) {
      return null;
    }
    var sha256 = names.get(content);
    var blob = blobs.get(sha256);
    return new ContentRef(sha256, blob == null ? lengths.get(sha256) : blob.length());
  }
}
