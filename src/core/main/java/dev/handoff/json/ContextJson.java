package dev.handoff.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.context.Assembled;
import dev.handoff.context.ContextFragment;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/// JSON form of an assembled context, as the command line prints it.
public final class ContextJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ContextJson() {}

  /// Complete context: budget, fragments in order, preamble and report.
  public static ObjectNode write(Assembled context) {
    var json = NODES.objectNode();
    json.put("budget", context.budget());
    json.put("totalTokens", context.totalTokens());
    json.put("preamble", context.preamble());
    var fragments = json.putArray("fragments");
    context.fragments().forEach(one -> fragments.add(write(one)));
    json.set("report", write(context.report()));
    return json;
  }

  private static ObjectNode write(ContextFragment fragment) {
    return NODES
        .objectNode()
        .put("resource", fragment.resource())
        .put("strategy", fragment.strategy())
        .put("depth", fragment.depth().number())
        .put("tokens", fragment.tokens())
        .put("score", rounded(fragment.score()))
        .put("text", fragment.text());
  }

  /// Report of an assembly, successful or not.
  public static ObjectNode write(Assembled.Report report) {
    var json = NODES.objectNode();
    json.put("pool", report.pool());
    json.put("preambleTokens", report.preambleTokens());
    json.put("complete", report.isComplete());
    json.put("tookMillis", millis(report.took()));
    var strategies = json.putArray("strategies");
    report.strategies().forEach(one -> strategies.add(write(one)));
    var scores = json.putArray("scores");
    report.scores().forEach(one -> scores.add(write(one)));
    var leftOut = json.putArray("leftOut");
    report
        .leftOut()
        .forEach(
            one ->
                leftOut
                    .addObject()
                    .put("resource", one.resource())
                    .put("strategy", one.strategy())
                    .put("reason", one.reason()));
    var notes = json.putArray("notes");
    report.notes().forEach(notes::add);
    return json;
  }

  private static ObjectNode write(Assembled.Report.StrategyReport strategy) {
    return NODES
        .objectNode()
        .put("name", strategy.name())
        .put("outcome", strategy.outcome().label())
        .put("confidence", rounded(strategy.confidence()))
        .put("share", strategy.share())
        .put("tookMillis", millis(strategy.took()))
        .put("fragments", strategy.fragments())
        .put("packed", strategy.packed())
        .put("tokens", strategy.tokens())
        .put("detail", strategy.detail());
  }

  private static ObjectNode write(Assembled.Report.ScoreReport scored) {
    var score = scored.score();
    return NODES
        .objectNode()
        .put("resource", scored.resource())
        .put("strategy", scored.strategy())
        .put("score", rounded(score.total()))
        .put("relevance", rounded(score.relevance()))
        .put("hierarchy", rounded(score.hierarchy()))
        .put("quality", rounded(score.quality()))
        .put("recency", rounded(score.recency()))
        .put("because", scored.because());
  }

  private static BigDecimal rounded(double number) {
    return BigDecimal.valueOf(number).setScale(4, RoundingMode.HALF_UP);
  }

  private static BigDecimal millis(Duration time) {
    return BigDecimal.valueOf(time.toNanos()).movePointLeft(6).setScale(1, RoundingMode.HALF_UP);
  }
}
