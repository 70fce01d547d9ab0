package dev.handoff.internal.context.assembly;

import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.ScoreReport;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart.Result.LeftOut;
import dev.handoff.context.PipelinePart.Scorer.Scored;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.context.PipelinePart.StrategyExecutor.StrategyRun;
import dev.handoff.context.PipelinePart.StrategySelector.Skipped;
import dev.handoff.context.SearchDepth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Intermediate state of an assembly. Immutable; each pipeline step returns an extended copy.
///
/// @param packed fragments of the context
record AssemblyDraft(
    List<Skipped> skipped,
    List<StrategyRun> runs,
    List<Scored> scored,
    List<LeftOut> leftOut,
    List<ContextFragment> packed) {

  AssemblyDraft {
    skipped = List.copyOf(skipped);
    runs = List.copyOf(runs);
    scored = List.copyOf(scored);
    leftOut = List.copyOf(leftOut);
    packed = List.copyOf(packed);
  }

  static final AssemblyDraft EMPTY =
      new AssemblyDraft(List.of(), List.of(), List.of(), List.of(), List.of());

  AssemblyDraft skipping(List<Skipped> strategies) {
    return new AssemblyDraft(strategies, runs, scored, leftOut, packed);
  }

  /// Removes a strategy from the skipped list, because it runs as fallback.
  AssemblyDraft asking(String strategy) {
    return skipping(skipped.stream().filter(one -> !one.strategy().equals(strategy)).toList());
  }

  AssemblyDraft ran(List<StrategyRun> all) {
    return new AssemblyDraft(skipped, all, scored, leftOut, packed);
  }

  AssemblyDraft scoring(List<Scored> all) {
    return new AssemblyDraft(skipped, runs, all, leftOut, packed);
  }

  AssemblyDraft leaving(List<LeftOut> more) {
    var all = new ArrayList<>(leftOut);
    all.addAll(more);
    return new AssemblyDraft(skipped, runs, scored, all, packed);
  }

  AssemblyDraft packing(List<ContextFragment> fragments) {
    return new AssemblyDraft(skipped, runs, scored, leftOut, fragments);
  }

  /// Confidence per strategy name.
  Map<String, Double> confidences() {
    var all = new LinkedHashMap<String, Double>();
    runs.forEach(run -> all.put(name(run), run.share().chosen().confidence()));
    return all;
  }

  /// Token share per strategy name.
  Map<String, Integer> shares() {
    var all = new LinkedHashMap<String, Integer>();
    runs.forEach(run -> all.put(name(run), run.share().tokens()));
    return all;
  }

  /// Copy in which every found fragment counts as packed.
  AssemblyDraft hopeful() {
    return packing(
        runs.stream().flatMap(run -> run.fragments().stream()).map(AssemblyDraft::whole).toList());
  }

  private static ContextFragment whole(Fragment found) {
    return new ContextFragment(found.resource(), found.strategy(), SearchDepth.NAME, 0, 0, "");
  }

  Assembled.Report report(int pool, List<String> notes, int preambleTokens, Duration took) {
    var strategies = new ArrayList<StrategyReport>();
    runs.forEach(run -> strategies.add(report(run)));
    skipped.forEach(
        one ->
            strategies.add(
                new StrategyReport(
                    one.strategy(),
                    Outcome.SKIPPED,
                    one.confidence(),
                    0,
                    Duration.ZERO,
                    0,
                    0,
                    0,
                    one.reason())));
    return new Assembled.Report(
        pool,
        strategies,
        scored.stream().map(AssemblyDraft::report).toList(),
        leftOut,
        notes,
        preambleTokens,
        took);
  }

  private StrategyReport report(StrategyRun run) {
    var own = packed.stream().filter(one -> one.strategy().equals(name(run))).toList();
    return new StrategyReport(
        name(run),
        run.outcome(),
        run.share().chosen().confidence(),
        run.share().tokens(),
        run.took(),
        run.fragments().size(),
        own.size(),
        own.stream().mapToInt(ContextFragment::tokens).sum(),
        run.detail());
  }

  private static ScoreReport report(Scored scored) {
    var fragment = scored.candidate().found().fragment();
    return new ScoreReport(
        fragment.resource(), fragment.strategy(), scored.score(), fragment.because());
  }

  private static String name(StrategyRun run) {
    return run.share().chosen().strategy().name();
  }
}
