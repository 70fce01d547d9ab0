package dev.handoff.internal.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Request to keep contents: new contents, and contents known to be stored. Both count as used by
/// the owner until retention deletes the plan of that id.
///
/// @param owner id of a plan
/// @param known hashes of stored contents. If one is missing, nothing of this request is kept
public record BlobUse(String owner, List<PackedBlob> contents, Set<String> known) {

  /// @throws IllegalArgumentException if the owner's name cannot be stored
  public BlobUse {
    if (StorableText.indexedFault(owner) != null) {
      throw new IllegalArgumentException(
          "contents cannot be kept for an owner that has %s: name the plan by its id"
              .formatted(StorableText.indexedFault(owner)));
    }
    contents = List.copyOf(contents);
    known = Set.copyOf(known);
  }

  /// All contents used, each once.
  public Set<String> used() {
    var used = new LinkedHashSet<String>();
    contents.forEach(blob -> used.add(blob.sha256()));
    used.addAll(known);
    return used;
  }

  /// Approximate size of the request.
  public long bytes() {
    long bytes = (long) ContentHashes.BYTES * (contents.size() + known.size());
    for (var blob : contents) {
      bytes += blob.packedLength();
    }
    return bytes;
  }
}
