package dev.handoff.context.assembly;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.Depth;
import dev.handoff.context.SkeletonCompressor;
import dev.handoff.context.TokenCounter;
import dev.handoff.job.Text;
import java.util.ArrayList;
import java.util.List;

/// The first line of each text of the parent while there is room, then names.
final class NameSkeleton implements SkeletonCompressor {

  private static final int LONGEST = 200;

  @Override
  public List<ContextFragment> compress(
      List<ContextFragment> parent, int most, TokenCounter tokens) {
    var skeleton = new ArrayList<ContextFragment>();
    int left = most;
    for (var one : parent) {
      var summary = form(one, Depth.SUMMARY, summary(one), tokens);
      var name = form(one, Depth.NAME, one.resource(), tokens);
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
        .map(line -> Text.clean(line, LONGEST))
        .orElse(of.resource());
  }

  private static ContextFragment form(
      ContextFragment of, Depth depth, String text, TokenCounter tokens) {
    int size = tokens.count(ContextFragment.shown(of.resource(), depth, text));
    return new ContextFragment(of.resource(), of.strategy(), depth, size, of.score(), text);
  }
}
