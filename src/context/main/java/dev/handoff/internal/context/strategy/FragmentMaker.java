package dev.handoff.internal.context.strategy;

import dev.handoff.context.Fragment;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.context.workspace.TermFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Converts a strategy's files into fragments.
final class FragmentMaker {

  /// Relevance factor for generated files: their names may match, but their text rarely helps.
  private static final double BY_TOOLS = 0.3;

  /// Limit of results per strategy; longer lists are not readable.
  static final int MOST = 30;

  /// Practical upper bound of characters per token. Longer texts do not fit and are omitted.
  private static final int LONGEST_TOKEN = 12;

  private final String strategy;
  private final StrategyCall call;
  private final WorkspaceView files;
  private final Set<String> terms;
  private final TermFinder finder;
  private final List<Fragment> fragments = new ArrayList<>();

  FragmentMaker(String strategy, StrategyCall call) {
    this.strategy = strategy;
    this.call = call;
    files = call.workspace();
    terms = files.terms(call.request().query());
    finder = new TermFinder(terms, files::terms);
  }

  List<Fragment> fragments() {
    return List.copyOf(fragments);
  }

  Set<String> terms() {
    return terms;
  }

  /// Adds a file if it is still indexed. Relevance falls with the square of the score: half the
  /// best score gives a quarter of the relevance.
  ///
  /// @param score relative to the best result, 0 to 1
  /// @param trust factor for all results, 0 to 1
  /// @param because reason of the match; empty = list the matching terms
  void add(String path, double score, double trust, String because) {
    call.cancellation().throwIfCancelled();
    double use = FileQuality.isWrittenByTools(path) ? BY_TOOLS : 1;
    files
        .file(path)
        .ifPresent(file -> fragments.add(fragment(file, use * trust * score * score, because)));
  }

  private Fragment fragment(WorkspaceView.IndexedFile file, double relevance, String because) {
    return new Fragment(
        file.path(),
        strategy,
        texts(file),
        Math.clamp(relevance, 0, 1),
        FileQuality.of(file.path()),
        file.modified(),
        because.isEmpty() ? matches(file) : because);
  }

  private NavigableMap<SearchDepth, String> texts(WorkspaceView.IndexedFile file) {
    var texts = new TreeMap<SearchDepth, String>();
    for (SearchDepth depth : SearchDepth.values()) {
      if (depth != SearchDepth.FULL || fits(file.text())) {
        texts.put(depth, file.outline().at(depth, terms, files::terms));
      }
    }
    return texts;
  }

  private boolean fits(String text) {
    return text.length() / LONGEST_TOKEN <= call.request().budget().pool();
  }

  String matches(WorkspaceView.IndexedFile file) {
    var held = new TreeSet<>(finder.in(file.text()));
    held.addAll(finder.in(file.path()));
    return held.isEmpty() ? "" : "matches " + String.join(", ", held);
  }
}
