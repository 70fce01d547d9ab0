package dev.handoff.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What somebody wants to be kept: contents that he has, and contents of which he knows that they
/// are stored. Both are counted as used by him until retention forgets the plan of his name.
///
/// @param owner the id of a plan
/// @param known by SHA-256. If one of them is missing, nothing of this is kept
/// @throws IllegalArgumentException if the owner's name is none that a store can keep
public record Keeping(String owner, List<Blob> contents, Set<String> known) {

  public Keeping {
    if (Text.indexedFault(owner) != null) {
      throw new IllegalArgumentException(
          "contents cannot be kept for an owner that has %s: name the plan by its id"
              .formatted(Text.indexedFault(owner)));
    }
    contents = List.copyOf(contents);
    known = Set.copyOf(known);
  }

  /// Everything that it uses, once.
  Set<String> used() {
    var used = new LinkedHashSet<String>();
    contents.forEach(blob -> used.add(blob.sha256()));
    used.addAll(known);
    return used;
  }

  /// About how much room it takes.
  public long bytes() {
    long bytes = (long) Hashes.BYTES * (contents.size() + known.size());
    for (var blob : contents) {
      bytes += blob.packedLength();
    }
    return bytes;
  }
}
