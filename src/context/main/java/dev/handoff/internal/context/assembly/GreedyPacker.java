package dev.handoff.internal.context.assembly;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.TokenCounter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A greedy knapsack in three rounds, each in score order:
///
/// 1. pack at the proposed depth, or as deep as the share of a finding strategy allows; never as
///    name only
/// 2. pack remaining candidates as deep as the remaining pool allows
/// 3. deepen packed fragments with the rest
///
/// Ties are broken by relevance, depth, size and name; the result is deterministic.
final class GreedyPacker implements PipelinePart.Packer {

  /// Minimum size in tokens; smaller fragments are not worth their heading.
  static final int LEAST = 10;

  @Override
  public PipelinePart.Result<ContextFragment> pack(
      List<PipelinePart.Scorer.Scored> scored,
      Map<String, Integer> shares,
      int pool,
      TokenCounter tokens) {
    var bag = new Bag(shares, pool, tokens);
    var inOrder = scored.stream().sorted(bag.order()).toList();
    inOrder.forEach(bag::putWithinShare);
    inOrder.forEach(bag::put);
    inOrder.forEach(bag::deepen);
    return new PipelinePart.Result<>(bag.packed(), bag.leftOut(inOrder));
  }

  /// Fragments packed so far and the remaining budgets.
  private static final class Bag {

    private final Map<String, Integer> shares;
    private final TokenCounter tokens;
    private final Map<PipelinePart.Scorer.Scored, ContextFragment> packed = new LinkedHashMap<>();
    private int left;

    Bag(Map<String, Integer> shares, int pool, TokenCounter tokens) {
      this.shares = new HashMap<>(shares);
      this.tokens = tokens;
      left = pool;
    }

    Comparator<PipelinePart.Scorer.Scored> order() {
      return Comparator.comparingDouble((PipelinePart.Scorer.Scored one) -> -one.score().total())
          .thenComparing(one -> -one.score().relevance())
          .thenComparing(one -> one.candidate().depth(), Comparator.reverseOrder())
          .thenComparing(one -> text(one, one.candidate().depth()).length())
          .thenComparing(one -> fragment(one).resource());
    }

    /// Charges the finding strategy with the largest remaining share.
    void putWithinShare(PipelinePart.Scorer.Scored one) {
      var payer =
          one.candidate().found().by().keySet().stream()
              .max(Comparator.comparingInt(this::share).thenComparing(Comparator.reverseOrder()))
              .orElseThrow();
      var form = deepest(one, one.candidate().depth(), Math.min(share(payer), left));
      if (form != null && form.depth() != SearchDepth.NAME) {
        take(one, form);
        shares.merge(payer, -form.tokens(), Integer::sum);
      }
    }

    private int share(String strategy) {
      return shares.getOrDefault(strategy, 0);
    }

    void put(PipelinePart.Scorer.Scored one) {
      if (!packed.containsKey(one)) {
        var form = deepest(one, one.candidate().depth(), left);
        if (form != null) {
          take(one, form);
        }
      }
    }

    void deepen(PipelinePart.Scorer.Scored one) {
      var now = packed.get(one);
      if (now != null) {
        var deeper = deepest(one, SearchDepth.FULL, left + now.tokens());
        if (deeper != null && deeper.depth().compareTo(now.depth()) > 0) {
          left += now.tokens();
          take(one, deeper);
        }
      }
    }

    private void take(PipelinePart.Scorer.Scored one, ContextFragment form) {
      packed.put(one, form);
      left -= form.tokens();
    }

    private @Nullable ContextFragment deepest(
        PipelinePart.Scorer.Scored one, SearchDepth deepest, int most) {
      var depths = fragment(one).texts().headMap(deepest, true).descendingKeySet();
      for (var depth : depths) {
        var form = form(one, depth);
        if (form.tokens() >= LEAST && form.tokens() <= most) {
          return form;
        }
      }
      return null;
    }

    private ContextFragment form(PipelinePart.Scorer.Scored one, SearchDepth depth) {
      var fragment = fragment(one);
      var text = text(one, depth);
      int size = tokens.count(ContextFragment.shown(fragment.resource(), depth, text));
      return new ContextFragment(
          fragment.resource(), fragment.strategy(), depth, size, one.score().total(), text);
    }

    private static String text(PipelinePart.Scorer.Scored one, SearchDepth depth) {
      return fragment(one).texts().getOrDefault(depth, "");
    }

    private static Fragment fragment(PipelinePart.Scorer.Scored one) {
      return one.candidate().found().fragment();
    }

    List<ContextFragment> packed() {
      return List.copyOf(packed.values());
    }

    List<PipelinePart.Result.LeftOut> leftOut(List<PipelinePart.Scorer.Scored> all) {
      var leftOut = new ArrayList<PipelinePart.Result.LeftOut>();
      for (var one : all) {
        if (!packed.containsKey(one)) {
          leftOut.add(
              new PipelinePart.Result.LeftOut(
                  fragment(one).resource(), fragment(one).strategy(), reason(one)));
        }
      }
      return leftOut;
    }

    private String reason(PipelinePart.Scorer.Scored one) {
      var sizes =
          fragment(one).texts().keySet().stream()
              .map(depth -> form(one, depth).tokens())
              .sorted()
              .toList();
      return sizes.stream()
          .filter(size -> size >= LEAST)
          .findFirst()
          .map(size -> "it takes at least %d tokens, and %d were left".formatted(size, left))
          .orElseGet(
              () -> "it has only %d tokens, and %d is the least".formatted(sizes.getLast(), LEAST));
    }
  }
}
