package dev.handoff.internal.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/// Problems of a document, of which only the first ones are kept.
public final class ProblemList {

  private static final int MOST = 20;

  private final List<LocatedProblem> problems = new ArrayList<>();
  private final boolean isWhole;

  /// @param isWhole whether the document was read to its end
  public ProblemList(boolean isWhole) {
    this.isWhole = isWhole;
  }

  boolean isWhole() {
    return isWhole;
  }

  public void add(LocatedProblem problem) {
    if (problems.size() < MOST) {
      problems.add(problem);
    }
  }

  /// Texts of the problems, in the order of the document.
  public List<String> told(Function<LocatedProblem, String> text) {
    return problems.stream()
        .sorted(Comparator.comparingInt(LocatedProblem::line))
        .map(text)
        .toList();
  }
}
