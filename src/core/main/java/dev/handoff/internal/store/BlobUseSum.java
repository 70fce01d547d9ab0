package dev.handoff.internal.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Sum of several requests, sorted by hash: concurrent sessions then lock shared rows in equal
/// order.
public final class BlobUseSum {

  /// Use row of an owner, for all of its requests.
  ///
  /// @param hashes concatenated hashes
  public record Use(String owner, byte[] hashes) {}

  private final List<Set<String>> missing = new ArrayList<>();
  private final SortedMap<String, PackedBlob> contents = new TreeMap<>();
  private final SortedMap<String, Integer> uses = new TreeMap<>();
  private final Map<String, List<String>> owners = new LinkedHashMap<>();

  private BlobUseSum() {}

  /// All valid hashes named by the requests.
  static SortedSet<String> named(List<BlobUse> asked) {
    var named = new TreeSet<String>();
    for (var use : asked) {
      use.used().stream().filter(ContentHashes::isName).forEach(named::add);
    }
    return named;
  }

  /// @param there tests whether a content is stored
  public static BlobUseSum of(List<BlobUse> asked, Predicate<String> there) {
    var sum = new BlobUseSum();
    asked.forEach(use -> sum.add(use, there));
    return sum;
  }

  private void add(BlobUse use, Predicate<String> there) {
    var own = use.contents().stream().map(PackedBlob::sha256).collect(Collectors.toSet());
    var unknown =
        use.known().stream()
            .filter(sha256 -> !own.contains(sha256) && !contents.containsKey(sha256))
            .filter(sha256 -> !there.test(sha256))
            .collect(Collectors.toUnmodifiableSet());
    missing.add(unknown);
    var used = use.used();
    if (unknown.isEmpty() && !used.isEmpty()) {
      use.contents().forEach(blob -> contents.putIfAbsent(blob.sha256(), blob));
      used.forEach(sha256 -> uses.merge(sha256, 1, Integer::sum));
      owners.computeIfAbsent(use.owner(), first -> new ArrayList<>()).addAll(used);
    }
  }

  /// Missing known contents per request.
  public List<Set<String>> missing() {
    return List.copyOf(missing);
  }

  /// Contents to insert.
  ///
  /// @param there tests whether a content is stored
  public List<PackedBlob> fresh(Predicate<String> there) {
    return contents.values().stream().filter(blob -> !there.test(blob.sha256())).toList();
  }

  /// Number of new uses per content.
  public SortedMap<String, Integer> uses() {
    return uses;
  }

  /// Use rows to insert. Their size is limited, so that few slices release a row.
  public List<Use> remembered() {
    var remembered = new ArrayList<Use>();
    owners.forEach(
        (owner, used) -> {
          for (int from = 0; from < used.size(); from += ReleasedUses.MOST_USES) {
            int to = Math.min(used.size(), from + ReleasedUses.MOST_USES);
            remembered.add(new Use(owner, ContentHashes.joined(used.subList(from, to))));
          }
        });
    return remembered;
  }
}
