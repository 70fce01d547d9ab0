package dev.handoff.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What context is wanted for. Immutable; each method gives a new request.
///
/// @param query what is to be done or known, in plain words
/// @param root the directory that is searched
/// @param budget how much of it fits
/// @param only the strategies that may be used; empty = those that are on
/// @param preferred strategies that are to be trusted more than they trust themselves
/// @param required what must be there to read, or the request is refused
/// @param timeout for each strategy; null = the configured one
/// @param project whose parts of the pipeline are used; null = the usual ones
/// @param parts of the pipeline for this request alone
/// @param parent the context of the plan above, of which a skeleton is kept
public record ContextRequest(
    String query,
    Path root,
    Budget budget,
    Set<String> only,
    Set<String> preferred,
    Set<Backend> required,
    @Nullable Duration timeout,
    @Nullable String project,
    Parts parts,
    List<ContextFragment> parent) {

  public static final Budget USUAL_BUDGET = Budget.of(8_000);

  public ContextRequest {
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(root, "root");
    only = Set.copyOf(only);
    preferred = Set.copyOf(preferred);
    required = Set.copyOf(required);
    parent = List.copyOf(parent);
  }

  /// With the strategies that are on, and 8,000 tokens.
  public static ContextRequest of(String query, Path root) {
    return new ContextRequest(
        query, root, USUAL_BUDGET, Set.of(), Set.of(), Set.of(), null, null, Parts.NONE, List.of());
  }

  public ContextRequest query(String words) {
    return new ContextRequest(
        words, root, budget, only, preferred, required, timeout, project, parts, parent);
  }

  /// Exactly so many tokens.
  public ContextRequest budget(int tokens) {
    return budget(Budget.of(tokens));
  }

  public ContextRequest budget(Budget tokens) {
    return new ContextRequest(
        query, root, tokens, only, preferred, required, timeout, project, parts, parent);
  }

  /// Uses these strategies and no others, also those that are off by default.
  public ContextRequest strategies(String... names) {
    return new ContextRequest(
        query,
        root,
        budget,
        new LinkedHashSet<>(List.of(names)),
        preferred,
        required,
        timeout,
        project,
        parts,
        parent);
  }

  /// Trusts these strategies more than they trust themselves.
  public ContextRequest prefer(String... names) {
    return new ContextRequest(
        query,
        root,
        budget,
        only,
        new LinkedHashSet<>(List.of(names)),
        required,
        timeout,
        project,
        parts,
        parent);
  }

  /// Refuses the request if one of these is not there, instead of doing without it.
  public ContextRequest require(Backend... backends) {
    return new ContextRequest(
        query,
        root,
        budget,
        only,
        preferred,
        new LinkedHashSet<>(List.of(backends)),
        timeout,
        project,
        parts,
        parent);
  }

  /// How long each strategy may take.
  public ContextRequest timeout(Duration time) {
    return new ContextRequest(
        query, root, budget, only, preferred, required, time, project, parts, parent);
  }

  /// Uses the parts of the pipeline that were registered for a project.
  public ContextRequest project(String name) {
    return new ContextRequest(
        query, root, budget, only, preferred, required, timeout, name, parts, parent);
  }

  /// Uses other parts of the pipeline for this request, or plan, alone.
  public ContextRequest parts(Parts own) {
    return new ContextRequest(
        query, root, budget, only, preferred, required, timeout, project, own, parent);
  }

  /// Keeps a skeleton of the context of the plan above.
  public ContextRequest parent(Assembled above) {
    return new ContextRequest(
        query, root, budget, only, preferred, required, timeout, project, parts, above.fragments());
  }

  /// The budget, of which a part is kept for the skeleton if there is a parent.
  public Budget sharedBudget() {
    return parent.isEmpty() ? budget : budget.withSkeleton();
  }
}
