package dev.handoff.internal.context.assembly;

import dev.handoff.context.Assembled;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.BudgetAllocator.Share;
import dev.handoff.context.PipelinePart.StrategyExecutor.StrategyRun;
import dev.handoff.context.PipelinePart.StrategySelector.Selection;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
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

/// The ten pipeline parts as a stream of a single request. Each step takes the draft and the
/// previous result. A failing part ends the stream with a [PartFailedException].
final class AssemblyPipeline {

  private static final int MARGIN = 24;

  private final PipelineParts parts;
  private final AssemblyInput input;
  private final long began = System.nanoTime();

  AssemblyPipeline(PipelineParts parts, AssemblyInput input) {
    this.parts = parts;
    this.input = input;
  }

  /// Result of a pipeline step with the current draft.
  private record Step<T>(AssemblyDraft draft, T made) {}

  Source<Assembled, NotUsed> assemble() {
    return Source.single(AssemblyDraft.EMPTY)
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

  private Step<Selection> select(AssemblyDraft draft) {
    var selection =
        with(
            PipelinePart.StrategySelector.class,
            draft,
            part -> part.select(input.request(), input.known(), input.backends()));
    return new Step<>(draft.skipping(selection.skipped()), selection);
  }

  private Step<List<Share>> allocate(Step<Selection> step) {
    var shares =
        with(
            PipelinePart.BudgetAllocator.class,
            step.draft(),
            part -> part.allocate(input.room(input.preamble()), step.made().chosen()),
            List::copyOf);
    return new Step<>(step.draft(), shares);
  }

  private CompletionStage<Step<List<StrategyRun>>> execute(Step<List<Share>> step) {
    return run(step.draft(), step.made()).thenApply(runs -> ran(step.draft(), runs));
  }

  private CompletionStage<List<StrategyRun>> run(AssemblyDraft draft, List<Share> shares) {
    var work =
        new PipelinePart.StrategyExecutor.Work(
            input.request(), shares, input.strategies(), input.workspace(), input.stop());
    return with(PipelinePart.StrategyExecutor.class, draft, part -> part.execute(work))
        .thenApply(runs -> List.copyOf(given(runs)))
        .exceptionally(
            broken -> {
              throw new PartFailedException(PipelinePart.StrategyExecutor.class, draft, broken);
            });
  }

  private static Step<List<StrategyRun>> ran(AssemblyDraft draft, List<StrategyRun> runs) {
    return new Step<>(draft.ran(runs), runs);
  }

  /// Runs the keyword search as a last attempt if no strategy found a fragment.
  private CompletionStage<Step<List<StrategyRun>>> fallBack(Step<List<StrategyRun>> step) {
    var keyword = keyword(step.draft());
    boolean found = step.made().stream().anyMatch(run -> !run.fragments().isEmpty());
    if (found || keyword.isEmpty() || input.stop().isCancelled()) {
      return CompletableFuture.completedStage(step);
    }
    var chosen = new PipelinePart.StrategySelector.Chosen(keyword.get(), ConfidentSelector.LEAST);
    return run(step.draft(), List.of(new Share(chosen, input.room(input.preamble()))))
        .thenApply(more -> ran(step.draft().asking(ConfidentSelector.FALLBACK), and(step, more)));
  }

  private Optional<Strategy> keyword(AssemblyDraft draft) {
    return input.request().only().isEmpty()
        ? input.strategies().stream()
            .filter(one -> one.name().equals(ConfidentSelector.FALLBACK))
            .filter(one -> !draft.confidences().containsKey(one.name()))
            .filter(one -> input.backends().containsAll(one.needs()))
            .findFirst()
        : Optional.empty();
  }

  private static List<StrategyRun> and(Step<List<StrategyRun>> step, List<StrategyRun> more) {
    return Stream.concat(step.made().stream(), more.stream()).toList();
  }

  private Step<List<Fragment.Found>> deduplicate(Step<List<StrategyRun>> step) {
    var found =
        step.made().stream()
            .flatMap(run -> run.fragments().stream())
            .map(Fragment.Found::of)
            .toList();
    var result =
        with(PipelinePart.Deduplicator.class, step.draft(), part -> part.deduplicate(found));
    return new Step<>(step.draft().leaving(result.leftOut()), result.kept());
  }

  private Step<List<PipelinePart.DepthResolver.Candidate>> resolve(
      Step<List<Fragment.Found>> step) {
    var candidates =
        with(
            PipelinePart.DepthResolver.class,
            step.draft(),
            part -> part.resolve(step.made(), room(step.draft()), input.tokens()),
            List::copyOf);
    return new Step<>(step.draft(), candidates);
  }

  private Step<List<PipelinePart.Scorer.Scored>> score(
      Step<List<PipelinePart.DepthResolver.Candidate>> step) {
    var scored =
        with(
            PipelinePart.Scorer.class,
            step.draft(),
            part -> part.score(step.made(), step.draft().confidences()),
            List::copyOf);
    return new Step<>(step.draft().scoring(scored), scored);
  }

  private Step<List<ContextFragment>> pack(Step<List<PipelinePart.Scorer.Scored>> step) {
    int room = room(step.draft());
    return with(
        PipelinePart.Packer.class,
        step.draft(),
        part -> part.pack(step.made(), step.draft().shares(), room, input.tokens()),
        result -> {
          var kept = within(room, result.kept());
          return new Step<>(step.draft().leaving(result.leftOut()).packing(kept), kept);
        });
  }

  private Step<List<ContextFragment>> order(Step<List<ContextFragment>> step) {
    var packed =
        with(
            PipelinePart.Orderer.class,
            step.draft(),
            part -> part.order(step.made()),
            ordered -> within(room(step.draft()), ordered));
    return new Step<>(step.draft().packing(packed), packed);
  }

  /// Appends the skeleton of the parent's context, which has its own token budget.
  private Step<List<ContextFragment>> compress(Step<List<ContextFragment>> step) {
    var parent = input.request().parent();
    if (parent.isEmpty()) {
      return step;
    }
    int room = input.request().sharedBudget().skeleton();
    var skeleton =
        with(
            PipelinePart.SkeletonCompressor.class,
            step.draft(),
            part -> part.compress(parent, room, input.tokens()),
            made -> within(room, made));
    return new Step<>(
        step.draft(), Stream.concat(step.made().stream(), skeleton.stream()).toList());
  }

  private Assembled introduce(Step<List<ContextFragment>> step) {
    var draft = step.draft();
    int most = reserve(draft);
    var preamble = preamble(draft, most);
    int size = input.tokens().count(preamble);
    if (size > most) {
      throw new PartFailedException(PipelinePart.ContextPreamble.class, draft, tooMuch(size, most));
    }
    return new Assembled(
        input.request().budget().pool(),
        sum(step.made()),
        step.made(),
        preamble,
        report(draft, size));
  }

  private String preamble(AssemblyDraft draft, int most) {
    return with(
        PipelinePart.ContextPreamble.class,
        draft,
        part -> part.write(report(draft, 0), most, input.tokens()));
  }

  /// Tokens reserved for the preamble: its size if all strategies contribute, plus a margin for
  /// late details. Gives equal results before and after packing.
  private int reserve(AssemblyDraft draft) {
    var hopeful = preamble(draft.scoring(List.of()).hopeful(), input.preamble());
    return Math.min(input.preamble(), input.tokens().count(hopeful) + MARGIN);
  }

  private Assembled.Report report(AssemblyDraft draft, int preambleTokens) {
    return draft.report(
        input.pool(),
        input.workspace().notes(),
        preambleTokens,
        Duration.ofNanos(System.nanoTime() - began));
  }

  /// Recounts the tokens, because a custom part may report wrong sizes; fails above the budget.
  private List<ContextFragment> within(int room, List<ContextFragment> packed) {
    var counted = packed.stream().map(this::counted).toList();
    if (sum(counted) > room) {
      throw tooMuch(sum(counted), room);
    }
    return counted;
  }

  private ContextFragment counted(ContextFragment one) {
    int tokens = input.tokens().count(one.shown());
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

  /// Token limit of the fragments.
  private int room(AssemblyDraft draft) {
    return input.room(reserve(draft));
  }

  /// Calls a part. Parts may be custom code: any exception is wrapped, so that it cannot reach the
  /// actors of the stream.
  private <P extends PipelinePart, R> R with(
      Class<P> kind, AssemblyDraft draft, Function<P, R> work) {
    return with(kind, draft, work, Function.identity());
  }

  /// @param check validates the part's result and converts it
  private <P extends PipelinePart, R, C> C with(
      Class<P> kind, AssemblyDraft draft, Function<P, R> work, Function<R, C> check) {
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
