package dev.handoff.job;

import java.util.Map;

/// Which jobs get a row of history when they end: all of them, unless a rule drops what ended so.
///
/// @param usual for types without a rule of their own
/// @param byType rules of single types
public record HistoryRules(Rule usual, Map<String, Rule> byType) {

  /// Every job is kept.
  public static final HistoryRules KEEP_ALL = new HistoryRules(Rule.KEEP, Map.of());

  /// What becomes of the jobs of a type. Cancelled ones are always kept.
  ///
  /// @param dropsSucceeded whether a job that succeeded leaves no row
  /// @param dropsFailed whether a job that failed leaves no row; nobody can retry it then
  public record Rule(boolean dropsSucceeded, boolean dropsFailed) {

    public static final Rule KEEP = new Rule(false, false);

    private boolean drops() {
      return dropsSucceeded || dropsFailed;
    }
  }

  public HistoryRules {
    byType = Map.copyOf(byType);
  }

  /// Whether an ended job leaves no row. Steps of plans and children always leave one: their plans
  /// and parents read what became of them.
  public boolean drops(JobState ended) {
    if (ended.spec().origin() != null) {
      return false;
    }
    var rule = byType.getOrDefault(ended.spec().type(), usual);
    return switch (ended.phase()) {
      case Phase.Succeeded won -> rule.dropsSucceeded();
      case Phase.Failed lost -> rule.dropsFailed();
      case Phase other -> false;
    };
  }

  /// Whether a job that is not there may have ended without a row.
  public boolean mayDrop() {
    return usual.drops() || byType.values().stream().anyMatch(Rule::drops);
  }
}
