package dev.handoff.context.assembly;

import dev.handoff.context.Assembled;
import dev.handoff.context.AssemblyReport;
import dev.handoff.context.BudgetAllocator;
import dev.handoff.context.BudgetAllocator.Share;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.Deduplicator;
import dev.handoff.context.DepthResolver;
import dev.handoff.context.Found;
import dev.handoff.context.Orderer;
import dev.handoff.context.Packer;
import dev.handoff.context.Part;
import dev.handoff.context.Parts;
import dev.handoff.context.Preamble;
import dev.handoff.context.Scorer;
import dev.handoff.context.SkeletonCompressor;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyExecutor;
import dev.handoff.context.StrategyExecutor.StrategyRun;
import dev.handoff.context.StrategySelector;
import dev.handoff.context.StrategySelector.Selection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/// The ten parts, one after the other, as a stream of one request. Each step takes a draft and what
/// the step before it made, and gives the next draft. A part that breaks ends the stream with a
/// [PartFailedException].
final class Pipeline {

  private static final int MARGIN = 24;

  private final Parts parts;
  private final Brief brief;
  private final long began = System.nanoTime();

  Pipeline(Parts parts, Brief brief) {
    this.parts = parts;
    this.brief = brief;
  }

  /// What a step has made, and what is known by then.
  private record Step<T>(Draft draft, T made) {}

  Source<Assembled, NotUsed> assemble() {
    return Source.single(Draft.EMPTY)
        .map(this::select)
        .map(this::allocate)
        .mapAsync(1, this::execute)
        .mapAsync(1, this::fallBack)
        .map(this::deduplicate)
        .map(this::resolve)
        .map(this::score)
        .map(this::pack)
        .map(this::order)
        .map(this::compress)
        .map(this::introduce);
  }

  private Step<Selection> select(Draft draft) {
    var selection =
        with(
            StrategySelector.class,
            draft,
            part -> part.select(brief.request(), brief.known(), brief.backends()));
    return new Step<>(draft.skipping(selection.skipped()), selection);
  }

  private Step<List<Share>> allocate(Step<Selection> step) {
    var shares =
        with(
            BudgetAllocator.class,
            step.draft(),
            part -> part.allocate(brief.room(brief.preamble()), step.made().chosen()),
            List::copyOf);
    return new Step<>(step.draft(), shares);
  }

  private CompletionStage<Step<List<StrategyRun>>> execute(Step<List<Share>> step) {
    return run(step.draft(), step.made()).thenApply(runs -> ran(step.draft(), runs));
  }

  private CompletionStage<List<StrategyRun>> run(Draft draft, List<Share> shares) {
    var work =
        new StrategyExecutor.Work(
            brief.request(), shares, brief.strategies(), brief.workspace(), brief.stop());
    return with(StrategyExecutor.class, draft, part -> part.execute(work))
        .thenApply(runs -> List.copyOf(given(runs)))
        .exceptionally(
            broken -> {
              throw new PartFailedException(StrategyExecutor.class, draft, broken);
            });
  }

  private static Step<List<StrategyRun>> ran(Draft draft, List<StrategyRun> runs) {
    return new Step<>(draft.ran(runs), runs);
  }

  /// Where all have looked and found nothing, the keyword search has a last try.
  private CompletionStage<Step<List<StrategyRun>>> fallBack(Step<List<StrategyRun>> step) {
    var keyword = keyword(step.draft());
    boolean found = step.made().stream().anyMatch(run -> !run.fragments().isEmpty());
    if (found || keyword.isEmpty() || brief.stop().isCancelled()) {
      return CompletableFuture.completedStage(step);
    }
    var chosen = new StrategySelector.Chosen(keyword.get(), ConfidentSelector.LEAST);
    return run(step.draft(), List.of(new Share(chosen, brief.room(brief.preamble()))))
        .thenApply(more -> ran(step.draft().asking(ConfidentSelector.FALLBACK), and(step, more)));
  }

  private Optional<Strategy> keyword(Draft draft) {
    return brief.request().only().isEmpty()
        ? brief.strategies().stream()
            .filter(one -> one.name().equals(ConfidentSelector.FALLBACK))
            .filter(one -> !draft.confidences().containsKey(one.name()))
            .filter(one -> brief.backends().containsAll(one.needs()))
            .findFirst()
        : Optional.empty();
  }

  private static List<StrategyRun> and(Step<List<StrategyRun>> step, List<StrategyRun> more) {
    return Stream.concat(step.made().stream(), more.stream()).toList();
  }

  private Step<List<Found>> deduplicate(Step<List<StrategyRun>> step) {
    var found =
        step.made().stream().flatMap(run -> run.fragments().stream()).map(Found::of).toList();
    var sifted = with(Deduplicator.class, step.draft(), part -> part.deduplicate(found));
    return new Step<>(step.draft().leaving(sifted.leftOut()), sifted.kept());
  }

  private Step<List<DepthResolver.Candidate>> resolve(Step<List<Found>> step) {
    var candidates =
        with(
            DepthResolver.class,
            step.draft(),
            part -> part.resolve(step.made(), room(step.draft()), brief.tokens()),
            List::copyOf);
    return new Step<>(step.draft(), candidates);
  }

  private Step<List<Scorer.Scored>> score(Step<List<DepthResolver.Candidate>> step) {
    var scored =
        with(
            Scorer.class,
            step.draft(),
            part -> part.score(step.made(), step.draft().confidences()),
            List::copyOf);
    return new Step<>(step.draft().scoring(scored), scored);
  }

  private Step<List<ContextFragment>> pack(Step<List<Scorer.Scored>> step) {
    int room = room(step.draft());
    return with(
        Packer.class,
        step.draft(),
        part -> part.pack(step.made(), step.draft().shares(), room, brief.tokens()),
        sifted -> {
          var kept = within(room, sifted.kept());
          return new Step<>(step.draft().leaving(sifted.leftOut()).packing(kept), kept);
        });
  }

  private Step<List<ContextFragment>> order(Step<List<ContextFragment>> step) {
    var packed =
        with(
            Orderer.class,
            step.draft(),
            part -> part.order(step.made()),
            ordered -> within(room(step.draft()), ordered));
    return new Step<>(step.draft().packing(packed), packed);
  }

  /// The skeleton of the parent's context comes last: it has room of its own.
  private Step<List<ContextFragment>> compress(Step<List<ContextFragment>> step) {
    var parent = brief.request().parent();
    if (parent.isEmpty()) {
      return step;
    }
    int room = brief.request().sharedBudget().skeleton();
    var skeleton =
        with(
            SkeletonCompressor.class,
            step.draft(),
            part -> part.compress(parent, room, brief.tokens()),
            made -> within(room, made));
    return new Step<>(
        step.draft(), Stream.concat(step.made().stream(), skeleton.stream()).toList());
  }

  private Assembled introduce(Step<List<ContextFragment>> step) {
    var draft = step.draft();
    int most = reserve(draft);
    var preamble = preamble(draft, most);
    int size = brief.tokens().count(preamble);
    if (size > most) {
      throw new PartFailedException(Preamble.class, draft, tooMuch(size, most));
    }
    return new Assembled(
        brief.request().budget().pool(),
        sum(step.made()),
        step.made(),
        preamble,
        report(draft, size));
  }

  private String preamble(Draft draft, int most) {
    return with(Preamble.class, draft, part -> part.write(report(draft, 0), most, brief.tokens()));
  }

  /// What is kept free for the preamble: what it takes if everybody contributes, and a little for
  /// what is known only at the end. The same before and after the packing.
  private int reserve(Draft draft) {
    var hopeful = preamble(draft.scoring(List.of()).hopeful(), brief.preamble());
    return Math.min(brief.preamble(), brief.tokens().count(hopeful) + MARGIN);
  }

  private AssemblyReport report(Draft draft, int preambleTokens) {
    return draft.report(
        brief.pool(),
        brief.workspace().notes(),
        preambleTokens,
        Duration.ofNanos(System.nanoTime() - began));
  }

  /// Never over the budget, whoever packs: what they say that it takes is counted again.
  private List<ContextFragment> within(int room, List<ContextFragment> packed) {
    var counted = packed.stream().map(this::counted).toList();
    if (sum(counted) > room) {
      throw tooMuch(sum(counted), room);
    }
    return counted;
  }

  private ContextFragment counted(ContextFragment one) {
    int tokens = brief.tokens().count(one.shown());
    return tokens == one.tokens()
        ? one
        : new ContextFragment(
            one.resource(), one.strategy(), one.depth(), tokens, one.score(), one.text());
  }

  private static IllegalStateException tooMuch(int taken, int room) {
    return new IllegalStateException("it took %d tokens, and there are %d".formatted(taken, room));
  }

  private static int sum(List<ContextFragment> fragments) {
    return fragments.stream().mapToInt(ContextFragment::tokens).sum();
  }

  /// What fragments may take.
  private int room(Draft draft) {
    return brief.room(reserve(draft));
  }

  /// Parts may be anybody's code: what they throw must not reach the actors that run the stream.
  private <P extends Part, R> R with(Class<P> kind, Draft draft, Function<P, R> work) {
    return with(kind, draft, work, Function.identity());
  }

  /// @param check looks at what the part gave, and makes the best of it
  private <P extends Part, R, C> C with(
      Class<P> kind, Draft draft, Function<P, R> work, Function<R, C> check) {
    try {
      return check.apply(given(work.apply(parts.get(kind))));
    } catch (PartFailedException named) {
      throw named;
    } catch (Throwable broken) {
      throw new PartFailedException(kind, draft, broken);
    }
  }

  private static <T> T given(@Nullable T made) {
    return Objects.requireNonNull(made, "it gave null");
  }
}
