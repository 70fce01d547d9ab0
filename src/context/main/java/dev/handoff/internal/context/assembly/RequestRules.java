package dev.handoff.internal.context.assembly;

import dev.handoff.context.Budget;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.SafeText;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Validation of context requests. Each refusal names the field, the reason and valid values.
///
/// @param strategies known strategy names
/// @param projects names of projects with their own parts
record RequestRules(SortedSet<String> strategies, SortedSet<String> projects) {

  private static final int LONGEST_QUERY = 16 * 1024;
  private static final int MOST_TOKENS = 10_000_000;

  static RequestRules of(Assembler.Kit kit) {
    return new RequestRules(
        kit.strategies().stream()
            .map(one -> one.strategy().name())
            .collect(Collectors.toCollection(TreeSet::new)),
        new TreeSet<>(kit.projects().keySet()));
  }

  /// First violation of the request; empty if valid.
  Optional<String> problem(ContextRequest request) {
    return query(request.query())
        .or(() -> budget(request.budget()))
        .or(() -> timeout(request))
        .or(() -> names("strategy", request.only(), strategies))
        .or(() -> names("strategy", request.preferred(), strategies))
        .or(
            () ->
                request.project() == null
                    ? Optional.empty()
                    : names("project", Set.of(request.project()), projects));
  }

  private static Optional<String> query(String query) {
    if (query.isBlank()) {
      return Optional.of("query must not be empty: say what is to be done or known");
    }
    if (query.length() > LONGEST_QUERY) {
      return Optional.of(
          "query must have at most %d characters, has %d".formatted(LONGEST_QUERY, query.length()));
    }
    return SafeText.isClean(query)
        ? Optional.empty()
        : Optional.of("query must be text, without NUL and halves of characters");
  }

  private static Optional<String> budget(Budget budget) {
    if (budget.response() < 0
        || budget.tools() < 0
        || budget.system() < 0
        || !(budget.skeletonRatio() >= 0 && budget.skeletonRatio() < 1)) {
      return Optional.of(
          "budget must have no negative parts, and a skeleton ratio from 0 to less than 1: "
              + budget);
    }
    if (budget.window() > MOST_TOKENS) {
      return Optional.of(
          "budget must be at most %d tokens, was %d".formatted(MOST_TOKENS, budget.window()));
    }
    return budget.pool() > 0
        ? Optional.empty()
        : Optional.of("budget must leave at least 1 token for the context: " + words(budget));
  }

  private static String words(Budget budget) {
    return budget.equals(Budget.of(budget.window()))
        ? "was " + budget.window()
        : "%d - %d - %d - %d leaves none"
            .formatted(budget.window(), budget.response(), budget.tools(), budget.system());
  }

  private static Optional<String> timeout(ContextRequest request) {
    var timeout = request.timeout();
    return timeout == null
            || timeout.compareTo(AssemblySettings.SHORTEST) >= 0
                && timeout.compareTo(AssemblySettings.LONGEST) <= 0
        ? Optional.empty()
        : Optional.of(
            "timeout must be %s, was %s"
                .formatted(AssemblySettings.range(), Durations.exact(timeout)));
  }

  private static Optional<String> names(
      String what, Collection<String> wanted, SortedSet<String> known) {
    return wanted.stream()
        .filter(name -> !known.contains(name))
        .sorted()
        .findFirst()
        .map(
            name ->
                "%s \"%s\" does not exist; known: %s"
                    .formatted(
                        what,
                        SafeText.shown(name),
                        known.isEmpty() ? "none" : String.join(", ", known)));
  }
}
