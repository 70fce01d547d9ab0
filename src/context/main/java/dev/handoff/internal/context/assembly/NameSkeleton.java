package dev.handoff.internal.context.assembly;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.TokenCounter;
import dev.handoff.internal.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/// Keeps the first line of each parent fragment while the budget lasts, then only names.
final class NameSkeleton implements PipelinePart.SkeletonCompressor {

  private static final int LONGEST = 200;

  @Override
  public List<ContextFragment> compress(
      List<ContextFragment> parent, int most, TokenCounter tokens) {
    var skeleton = new ArrayList<ContextFragment>();
    int left = most;
    for (var one : parent) {
      var summary = form(one, SearchDepth.SUMMARY, summary(one), tokens);
      var name = form(one, SearchDepth.NAME, one.resource(), tokens);
      var fits = summary.tokens() <= left ? summary : name;
      if (fits.tokens() <= left) {
        skeleton.add(fits);
        left -= fits.tokens();
      }
    }
    return skeleton;
  }

  private static String summary(ContextFragment of) {
    return of.text()
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(line -> SafeText.clean(line, LONGEST))
        .orElse(of.resource());
  }

  private static ContextFragment form(
      ContextFragment of, SearchDepth depth, String text, TokenCounter tokens) {
    int size = tokens.count(ContextFragment.shown(of.resource(), depth, text));
    return new ContextFragment(of.resource(), of.strategy(), depth, size, of.score(), text);
  }
}
