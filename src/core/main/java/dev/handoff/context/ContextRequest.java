package dev.handoff.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Request for context. Immutable; every method returns a copy.
///
/// @param query task or question in natural language
/// @param root directory to search
/// @param budget token budget
/// @param choice selection of strategies
/// @param setting options of the assembly
/// @param parent context of the parent plan; a skeleton is kept
public record ContextRequest(
    String query,
    Path root,
    Budget budget,
    Choice choice,
    Setting setting,
    List<ContextFragment> parent) {

  public static final Budget USUAL_BUDGET = Budget.of(8_000);

  /// Selection of strategies.
  ///
  /// @param only names of the permitted strategies; empty = all enabled strategies
  /// @param preferred strategies with raised confidence
  /// @param required backends; a missing backend refuses the request
  public record Choice(Set<String> only, Set<String> preferred, Set<Backend> required) {

    static final Choice ANY = new Choice(Set.of(), Set.of(), Set.of());

    public Choice {
      only = Set.copyOf(only);
      preferred = Set.copyOf(preferred);
      required = Set.copyOf(required);
    }
  }

  /// Options of the assembly.
  ///
  /// @param timeout per strategy; null = configured default
  /// @param project registered project whose pipeline parts apply; null = default parts
  /// @param parts pipeline parts of this request only
  /// @param plan earlier decisions of the plan; null = request outside a plan
  public record Setting(
      @Nullable Duration timeout,
      @Nullable String project,
      PipelineParts parts,
      @Nullable PlanDecisions plan) {

    static final Setting USUAL = new Setting(null, null, PipelineParts.NONE, null);

    public Setting {
      Objects.requireNonNull(parts, "parts");
    }
  }

  public ContextRequest {
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(root, "root");
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(choice, "choice");
    Objects.requireNonNull(setting, "setting");
    parent = List.copyOf(parent);
  }

  /// Request with the enabled strategies and a budget of 8,000 tokens.
  public static ContextRequest of(String query, Path root) {
    return new ContextRequest(query, root, USUAL_BUDGET, Choice.ANY, Setting.USUAL, List.of());
  }

  public ContextRequest query(String words) {
    return new ContextRequest(words, root, budget, choice, setting, parent);
  }

  /// Sets a fixed token budget.
  public ContextRequest budget(int tokens) {
    return budget(Budget.of(tokens));
  }

  public ContextRequest budget(Budget tokens) {
    return new ContextRequest(query, root, tokens, choice, setting, parent);
  }

  /// Restricts the request to the named strategies, including strategies that are disabled by
  /// default. No names = all enabled strategies.
  public ContextRequest strategies(String... names) {
    return with(new Choice(Set.copyOf(List.of(names)), preferred(), required()));
  }

  /// Raises the confidence of the named strategies.
  public ContextRequest prefer(String... names) {
    return with(new Choice(only(), Set.copyOf(List.of(names)), required()));
  }

  /// Refuses the request if a named backend is missing. By default, assembly continues without it.
  public ContextRequest require(Backend... backends) {
    return with(new Choice(only(), preferred(), Set.copyOf(List.of(backends))));
  }

  /// Sets the time limit per strategy.
  public ContextRequest timeout(Duration time) {
    return with(new Setting(time, project(), parts(), plan()));
  }

  /// Selects the pipeline parts registered for a project.
  public ContextRequest project(String name) {
    return with(new Setting(timeout(), name, parts(), plan()));
  }

  /// Replaces pipeline parts for this request, or for its plan, only.
  public ContextRequest parts(PipelineParts own) {
    return with(new Setting(timeout(), project(), own, plan()));
  }

  /// Adds the decisions of preceding plan steps. Requests made inside a step have them
  /// automatically.
  public ContextRequest plan(PlanDecisions decisions) {
    return with(new Setting(timeout(), project(), parts(), decisions));
  }

  /// Adds a skeleton of the parent plan's context.
  public ContextRequest parent(Assembled above) {
    return new ContextRequest(query, root, budget, choice, setting, above.fragments());
  }

  private ContextRequest with(Choice other) {
    return new ContextRequest(query, root, budget, other, setting, parent);
  }

  private ContextRequest with(Setting other) {
    return new ContextRequest(query, root, budget, choice, other, parent);
  }

  public Set<String> only() {
    return choice.only();
  }

  public Set<String> preferred() {
    return choice.preferred();
  }

  public Set<Backend> required() {
    return choice.required();
  }

  public @Nullable Duration timeout() {
    return setting.timeout();
  }

  public @Nullable String project() {
    return setting.project();
  }

  public PipelineParts parts() {
    return setting.parts();
  }

  public @Nullable PlanDecisions plan() {
    return setting.plan();
  }

  /// Budget with a reserve for the skeleton if there is a parent.
  public Budget sharedBudget() {
    return parent.isEmpty() ? budget : budget.withSkeleton();
  }

  /// A data source for strategies.
  public enum Backend {
    /// Files of a workspace and their index.
    FILES,
    /// History of the git repository around the workspace.
    GIT,
    /// Decisions of the plan that issues the request.
    PLAN
  }
}
