package dev.handoff.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What context is wanted for. Immutable; each method gives a new request.
///
/// @param query what is to be done or known, in plain words
/// @param root the directory that is searched
/// @param budget how much of it fits
/// @param choice who looks
/// @param setting how it is made
/// @param parent the context of the plan above, of which a skeleton is kept
public record ContextRequest(
    String query,
    Path root,
    Budget budget,
    Choice choice,
    Setting setting,
    List<ContextFragment> parent) {

  public static final Budget USUAL_BUDGET = Budget.of(8_000);

  /// Which strategies look.
  ///
  /// @param only those that may be used; empty = those that are on
  /// @param preferred those that are to be trusted more than they trust themselves
  /// @param required what must be there to read, or the request is refused
  public record Choice(Set<String> only, Set<String> preferred, Set<Backend> required) {

    static final Choice ANY = new Choice(Set.of(), Set.of(), Set.of());

    public Choice {
      only = Set.copyOf(only);
      preferred = Set.copyOf(preferred);
      required = Set.copyOf(required);
    }
  }

  /// How the context is made.
  ///
  /// @param timeout for each strategy; null = the configured one
  /// @param project whose parts of the pipeline are used; null = the usual ones
  /// @param parts of the pipeline for this request alone
  /// @param plan what was decided in the plan that it is for; null = it is for none
  public record Setting(
      @Nullable Duration timeout,
      @Nullable String project,
      Parts parts,
      @Nullable PlanDecisions plan) {

    static final Setting USUAL = new Setting(null, null, Parts.NONE, null);

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

  /// With the strategies that are on, and 8,000 tokens.
  public static ContextRequest of(String query, Path root) {
    return new ContextRequest(query, root, USUAL_BUDGET, Choice.ANY, Setting.USUAL, List.of());
  }

  public ContextRequest query(String words) {
    return new ContextRequest(words, root, budget, choice, setting, parent);
  }

  /// Exactly so many tokens.
  public ContextRequest budget(int tokens) {
    return budget(Budget.of(tokens));
  }

  public ContextRequest budget(Budget tokens) {
    return new ContextRequest(query, root, tokens, choice, setting, parent);
  }

  /// Uses these strategies and no others, also those that are off by default; without any: those
  /// that are on.
  public ContextRequest strategies(String... names) {
    return with(new Choice(Set.copyOf(List.of(names)), preferred(), required()));
  }

  /// Trusts these strategies more than they trust themselves.
  public ContextRequest prefer(String... names) {
    return with(new Choice(only(), Set.copyOf(List.of(names)), required()));
  }

  /// Refuses the request if one of these is not there, instead of doing without it.
  public ContextRequest require(Backend... backends) {
    return with(new Choice(only(), preferred(), Set.copyOf(List.of(backends))));
  }

  /// How long each strategy may take.
  public ContextRequest timeout(Duration time) {
    return with(new Setting(time, project(), parts(), plan()));
  }

  /// Uses the parts of the pipeline that were registered for a project.
  public ContextRequest project(String name) {
    return with(new Setting(timeout(), name, parts(), plan()));
  }

  /// Uses other parts of the pipeline for this request, or plan, alone.
  public ContextRequest parts(Parts own) {
    return with(new Setting(timeout(), project(), own, plan()));
  }

  /// Is for a step of a plan, before which this was decided. A step's own requests say so by
  /// themselves.
  public ContextRequest plan(PlanDecisions decisions) {
    return with(new Setting(timeout(), project(), parts(), decisions));
  }

  /// Keeps a skeleton of the context of the plan above.
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

  public Parts parts() {
    return setting.parts();
  }

  public @Nullable PlanDecisions plan() {
    return setting.plan();
  }

  /// The budget, of which a part is kept for the skeleton if there is a parent.
  public Budget sharedBudget() {
    return parent.isEmpty() ? budget : budget.withSkeleton();
  }
}
