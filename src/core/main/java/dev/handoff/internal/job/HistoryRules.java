package dev.handoff.internal.job;

import java.util.Map;

/// Rules for history rows of ended jobs: all jobs get one, unless a rule drops their outcome.
///
/// @param usual rule for all other types
/// @param byType rules by job type
public record HistoryRules(Rule usual, Map<String, Rule> byType) {

  /// Rules that keep every job.
  public static final HistoryRules KEEP_ALL = new HistoryRules(Rule.KEEP, Map.of());

  /// Rule for one job type. Cancelled jobs are always kept.
  ///
  /// @param dropsSucceeded whether succeeded jobs leave no row
  /// @param dropsFailed whether failed jobs leave no row; they cannot be retried then
  public record Rule(boolean dropsSucceeded, boolean dropsFailed) {

    public static final Rule KEEP = new Rule(false, false);

    private boolean drops() {
      return dropsSucceeded || dropsFailed;
    }
  }

  public HistoryRules {
    byType = Map.copyOf(byType);
  }

  /// Whether an ended job leaves no row. Steps of plans and children always leave a row: plans and
  /// parents read their outcome.
  public boolean drops(JobState ended) {
    if (ended.spec().origin() != null) {
      return false;
    }
    var rule = byType.getOrDefault(ended.spec().type(), usual);
    return switch (ended.phase()) {
      case JobPhase.Succeeded won -> rule.dropsSucceeded();
      case JobPhase.Failed lost -> rule.dropsFailed();
      case JobPhase other -> false;
    };
  }

  /// Whether an unknown job may have ended without a row.
  public boolean mayDrop() {
    return usual.drops() || byType.values().stream().anyMatch(Rule::drops);
  }
}
