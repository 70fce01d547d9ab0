package dev.handoff.context.strategy;

import dev.handoff.context.Depth;
import dev.handoff.context.Fragment;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.workspace.IndexedFile;
import dev.handoff.context.workspace.TermFinder;
import dev.handoff.context.workspace.WorkspaceView;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Makes fragments of the files that a strategy has found.
final class Findings {

  /// More than this nobody can read. Of the relevance of what a tool has written: its name may say
  /// much, its text hardly anything.
  private static final double BY_TOOLS = 0.3;

  static final int MOST = 30;

  /// A token is seldom longer, so that a longer text does not fit.
  private static final int LONGEST_TOKEN = 12;

  private final String strategy;
  private final StrategyCall call;
  private final WorkspaceView files;
  private final Set<String> terms;
  private final TermFinder finder;
  private final List<Fragment> fragments = new ArrayList<>();

  Findings(String strategy, StrategyCall call) {
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

  /// Adds a file, if it is still there. It is the less relevant the more it falls behind the best:
  /// half as good is a quarter as likely to be of use.
  ///
  /// @param score beside that of the best, 0 to 1
  /// @param trust in all that was found, 0 to 1
  /// @param because how it was found; if it is empty, the terms that the file holds
  void add(String path, double score, double trust, String because) {
    call.cancellation().throwIfCancelled();
    double use = Quality.isWrittenByTools(path) ? BY_TOOLS : 1;
    files
        .file(path)
        .ifPresent(file -> fragments.add(fragment(file, use * trust * score * score, because)));
  }

  private Fragment fragment(IndexedFile file, double relevance, String because) {
    return new Fragment(
        file.path(),
        strategy,
        texts(file),
        Math.clamp(relevance, 0, 1),
        Quality.of(file.path()),
        file.modified(),
        because.isEmpty() ? matches(file) : because);
  }

  private NavigableMap<Depth, String> texts(IndexedFile file) {
    var texts = new TreeMap<Depth, String>();
    for (Depth depth : Depth.values()) {
      if (depth != Depth.FULL || fits(file.text())) {
        texts.put(depth, file.outline().at(depth, terms, files::terms));
      }
    }
    return texts;
  }

  private boolean fits(String text) {
    return text.length() / LONGEST_TOKEN <= call.request().budget().pool();
  }

  String matches(IndexedFile file) {
    var held = new TreeSet<>(finder.in(file.text()));
    held.addAll(finder.in(file.path()));
    return held.isEmpty() ? "" : "matches " + String.join(", ", held);
  }
}
