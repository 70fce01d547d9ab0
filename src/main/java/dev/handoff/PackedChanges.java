package dev.handoff;

import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.store.Blob;
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

/// Some changes, with what they hold hashed and packed.
final class PackedChanges {

  private final List<Change> changes;
  private final SequencedMap<String, Blob> blobs = new LinkedHashMap<>();
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

  private PackedChanges(Blob one) {
    this.changes = List.of();
    blobs.put(one.sha256(), one);
  }

  /// Hashes and packs, which takes its time, on the caller's thread.
  ///
  /// @param changes which keep to the rules
  static PackedChanges of(List<Change> changes) {
    return new PackedChanges(changes);
  }

  /// Something else that changes need, with none of them.
  static PackedChanges ofNone(byte[] content) {
    return new PackedChanges(Blob.of(content));
  }

  /// The hashes of what should be stored already.
  Set<String> known() {
    return known;
  }

  /// What is written at a time, in order: at least one write, also if nothing is new.
  List<List<Blob>> writes() {
    var writes = new ArrayList<List<Blob>>();
    var write = new ArrayList<Blob>();
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

  /// The hash of the only content.
  String sha256() {
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
          var blob = Blob.of(bytes.bytes());
          names.put(bytes, blob.sha256());
          blobs.put(blob.sha256(), blob);
        }
      }
    }
  }

  /// The changes with their contents by name, or why they cannot have them.
  ///
  /// @param lengths of what is known
  ContentKeeper.Kept named(Map<String, Integer> lengths) {
    var named = new ArrayList<PlanCommand.Change>();
    for (var change : changes) {
      var before = ref(change.before(), lengths);
      var after = ref(change.after(), lengths);
      if (Objects.equals(before, after)) {
        return new ContentKeeper.NotKept(
            new ChangeAnswer.Invalid(
                "\"%s\" holds the same before and after".formatted(change.path())));
      }
      named.add(new PlanCommand.Change(change.path(), before, after));
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
