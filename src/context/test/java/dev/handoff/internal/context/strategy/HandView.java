package dev.handoff.internal.context.strategy;

import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.context.workspace.FileOutliners;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Workspace written by a test: words, links and commits follow directly from its texts.
final class HandView implements WorkspaceView {

  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final SortedMap<String, String> texts = new TreeMap<>();
  private final List<WorkspaceView.GitCommit> commits = new ArrayList<>();

  HandView file(String path, String text) {
    texts.put(path, text);
    return this;
  }

  /// Adds a commit; the newest commit is added first.
  HandView commit(String message, String... paths) {
    var files = new TreeSet<>(List.of(paths));
    commits.add(new WorkspaceView.GitCommit("c" + commits.size(), NOW, "Ada", message, files));
    return this;
  }

  HandView without(String path) {
    texts.remove(path);
    return this;
  }

  @Override
  public Path root() {
    return Path.of("/hand");
  }

  @Override
  public SortedSet<String> paths() {
    return new TreeSet<>(texts.keySet());
  }

  @Override
  public boolean hasGit() {
    return !commits.isEmpty();
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public List<Hit> search(String text, int limit) {
    return hits(terms(text), limit);
  }

  /// Similarity: the number of common word prefixes.
  @Override
  public List<Hit> nearest(String text, int limit) {
    var beginnings = new TreeSet<String>();
    terms(text).forEach(term -> beginnings.add(term.substring(0, Math.min(4, term.length()))));
    var hits = new ArrayList<Hit>();
    texts.forEach(
        (path, content) -> {
          long near =
              terms(content).stream()
                  .filter(term -> beginnings.stream().anyMatch(term::startsWith))
                  .count();
          if (near > 0) {
            hits.add(new Hit(path, (double) near / (near + 5)));
          }
        });
    return best(hits, limit);
  }

  private List<Hit> hits(Set<String> terms, int limit) {
    var hits = new ArrayList<Hit>();
    texts.forEach(
        (path, content) -> {
          var held = new TreeSet<>(terms(path + " " + content));
          held.retainAll(terms);
          if (!held.isEmpty()) {
            hits.add(new Hit(path, held.size()));
          }
        });
    return best(hits, limit);
  }

  private static List<Hit> best(List<Hit> hits, int limit) {
    return hits.stream()
        .sorted(Comparator.comparingDouble(Hit::score).reversed().thenComparing(Hit::path))
        .limit(limit)
        .toList();
  }

  @Override
  public Optional<WorkspaceView.IndexedFile> file(String path) {
    return Optional.ofNullable(texts.get(path))
        .map(text -> new WorkspaceView.IndexedFile(path, NOW, text, FileOutliners.of(path, text)));
  }

  @Override
  public SortedSet<String> references(String path) {
    var found = new TreeSet<String>();
    var mentions = FileOutliners.of(path, texts.getOrDefault(path, "")).mentions();
    for (var other : texts.entrySet()) {
      var defines = FileOutliners.of(other.getKey(), other.getValue()).defines();
      if (!other.getKey().equals(path) && defines.stream().anyMatch(mentions::contains)) {
        found.add(other.getKey());
      }
    }
    return found;
  }

  @Override
  public SortedSet<String> referrers(String path) {
    var found = new TreeSet<String>();
    texts.keySet().stream().filter(other -> references(other).contains(path)).forEach(found::add);
    return found;
  }

  @Override
  public Set<String> terms(String text) {
    var terms = new TreeSet<String>();
    for (String word : text.split("[^\\p{L}\\p{N}]+|(?<=\\p{Ll})(?=\\p{Lu})")) {
      if (word.length() > 2 || !word.isEmpty() && Character.isIdeographic(word.codePointAt(0))) {
        terms.add(word.toLowerCase(Locale.ROOT));
      }
    }
    return terms;
  }

  @Override
  public List<WorkspaceView.GitCommit> commits(int limit) {
    return commits.stream().limit(limit).toList();
  }

  @Override
  public void close() {}

  Map<String, String> texts() {
    return texts;
  }
}
