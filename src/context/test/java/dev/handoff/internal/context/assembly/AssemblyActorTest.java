package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.fragment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.TokenProbe;
import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.context.PipelinePart.StrategyExecutor.StrategyRun;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.SearchDepth;
import dev.handoff.internal.context.workspace.Workspaces;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.Materializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An assembler")
class AssemblyActorTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final AssemblySettings SETTINGS =
      new AssemblySettings(List.of(), 4, Duration.ofSeconds(10), 2, "cl100k_base");

  private final TestProbe<Workspaces.Command> workspaces = actors.probe(Workspaces.Command.class);
  private final TestProbe<AssembleContext.Answered> caller =
      actors.probe(AssembleContext.Answered.class);
  private final CancellationSource stop = new CancellationSource();
  private final EmptyView view = new EmptyView(false);

  @Test
  void opensTheWorkspace_assembles_answers_andClosesIt() throws Exception {
    var assembler = assembler(runs(Outcome.FOUND));

    ask(assembler, PipelineSamples.REQUEST);
    open();

    assertThat(answer()).isInstanceOf(Assembled.class);
    assertThat(view.closed.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answersThatThereIsNoWorkspace() {
    ask(assembler(runs(Outcome.FOUND)), PipelineSamples.REQUEST);

    opening().replyTo().tell(new Workspaces.Refused("nowhere does not exist"));

    assertThat(answer()).isEqualTo(new ContextAnswer.NoWorkspace("nowhere does not exist"));
  }

  @Test
  void givesUpAWorkspaceThatIsNotOpened() {
    ask(assembler(runs(Outcome.FOUND)), PipelineSamples.REQUEST);
    opening();

    actors.pass(Duration.ofMinutes(11));

    assertThat(answer()).isEqualTo(new ContextAnswer.NoWorkspace(". was not indexed within 10m"));
  }

  @Test
  void answersAtOnceThatARequestIsNotInOrder() {
    ask(assembler(runs(Outcome.FOUND)), PipelineSamples.REQUEST.budget(0));

    assertThat(answer()).isInstanceOf(ContextAnswer.Invalid.class);
    workspaces.expectNoMessage();
  }

  @Test
  void closesAWorkspace_inWhichSomethingIsMissing() throws Exception {
    ask(
        assembler(runs(Outcome.FOUND)),
        PipelineSamples.REQUEST.require(ContextRequest.Backend.GIT));
    open();

    assertThat(answer())
        .isEqualTo(
            new ContextAnswer.Invalid("backend GIT is required, and is not there; there is FILES"));
    assertThat(view.closed.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answersACancelledRequest_whileItsWorkspaceIsOpened_andClosesWhatIsOpenedThen()
      throws Exception {
    ask(assembler(runs(Outcome.FOUND)), PipelineSamples.REQUEST);
    var opening = opening();

    stop.cancel(why());

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Cancelled.class,
            cancelled -> assertThat(cancelled.reason()).isEqualTo("not needed"));
    opening.replyTo().tell(new Workspaces.Opened(view));
    assertThat(view.closed.await(10, TimeUnit.SECONDS)).isTrue();
    caller.expectNoMessage();
  }

  @Test
  void answersACancelledRequest_withWhatWasStopped() throws Exception {
    var reached = new CountDownLatch(1);
    PipelinePart.StrategyExecutor waits =
        work -> {
          reached.countDown();
          return work.stop().asStage().thenApply(why -> runs(work, Outcome.STOPPED));
        };
    ask(assembler(waits), PipelineSamples.REQUEST);
    open();
    assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();

    stop.cancel(why());

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Cancelled.class,
            cancelled -> {
              assertThat(cancelled.reason()).isEqualTo("not needed");
              assertThat(cancelled.report().strategies())
                  .extracting(StrategyReport::outcome)
                  .containsExactly(Outcome.STOPPED);
            });
    assertThat(view.closed.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void waitsForAPartThatDoesNotStop_onlyAWhile() throws Exception {
    var reached = new CountDownLatch(1);
    PipelinePart.StrategyExecutor deaf =
        work -> {
          reached.countDown();
          return new CompletableFuture<>();
        };
    ask(assembler(deaf), PipelineSamples.REQUEST);
    open();
    assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();

    stop.cancel(why());
    stop.token().asStage().toCompletableFuture().join();
    caller.expectNoMessage();
    actors.pass(Duration.ofSeconds(6));

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Cancelled.class,
            cancelled ->
                assertThat(cancelled.reason())
                    .isEqualTo("cancelled; a part of the pipeline did not stop within 5s"));
    assertThat(view.closed.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answersThatItFailed_ifNoStrategyCouldLook() {
    ask(assembler(runs(Outcome.FAILED)), PipelineSamples.REQUEST);
    open();

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Failed.class,
            failed -> {
              assertThat(failed.reason()).isEqualTo("no strategy could look: keyword: a detail");
              assertThat(failed.report().strategies()).hasSize(1);
            });
  }

  @Test
  void answersThatItFailed_ifThereIsNobodyToLook() {
    ask(
        spawn(new Assembler.Kit(List.of(), PipelineParts.NONE, Map.of()), runs(Outcome.FOUND)),
        PipelineSamples.REQUEST);
    open();

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Failed.class,
            failed ->
                assertThat(failed.reason()).isEqualTo("no strategy could look: there is none"));
  }

  @Test
  void answersThatItFailed_ifAPartBreaks_withWhatWasKnown() {
    PipelinePart.Scorer broken = (candidates, confidences) -> null;
    ask(
        assembler(runs(Outcome.FOUND)),
        PipelineSamples.REQUEST.parts(PipelineParts.NONE.with(PipelinePart.Scorer.class, broken)));
    open();

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Failed.class,
            failed -> {
              assertThat(failed.reason()).startsWith("the Scorer failed: ");
              assertThat(failed.report().strategies()).hasSize(1);
              assertThat(failed.report().notes()).containsExactly("a note");
            });
  }

  @Test
  void answersForAnAssemblyThatFails() {
    ask(assembler(runs(Outcome.FOUND)), PipelineSamples.REQUEST);

    opening().replyTo().tell(new Workspaces.Opened(null));

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Failed.class,
            failed -> assertThat(failed.reason()).startsWith("the assembly failed: "));
  }

  @Test
  void goesOn_whateverARequestBreaks() {
    var assembler = assembler(runs(Outcome.FOUND));

    ask(assembler, null);

    assertThat(answer())
        .isInstanceOfSatisfying(
            ContextAnswer.Failed.class,
            failed -> assertThat(failed.reason()).startsWith("the assembly failed: "));
    ask(assembler, PipelineSamples.REQUEST);
    open();
    assertThat(answer()).isInstanceOf(Assembled.class);
  }

  /// A job's token can live for days, and serve many requests.
  @Test
  void leavesNothingBehindAtAToken() {
    var signal = new CompletableFuture<Cancellation>();
    var assembler = assembler(runs(Outcome.FOUND));

    assembler.tell(
        new AssembleContext(PipelineSamples.REQUEST, TokenProbe.of(signal), caller.ref()));
    open();

    assertThat(answer()).isInstanceOf(Assembled.class);
    assertThat(signal.getNumberOfDependents()).isZero();
  }

  @Test
  void takesOnlySoManyAtOnce() {
    var assembler = assembler(runs(Outcome.FOUND));
    ask(assembler, PipelineSamples.REQUEST);
    ask(assembler, PipelineSamples.REQUEST);
    var first = opening();
    opening();

    ask(assembler, PipelineSamples.REQUEST);

    assertThat(answer())
        .isEqualTo(
            new ContextAnswer.Unavailable(
                "2 contexts are being assembled: that is all that handoff.context.at-once allows",
                Duration.ofSeconds(1)));
    first.replyTo().tell(new Workspaces.Refused("gone"));
    assertThat(answer()).isInstanceOf(ContextAnswer.NoWorkspace.class);
    stop.cancel(why());
    assertThat(answer()).isInstanceOf(ContextAnswer.Cancelled.class);
    assertThat(
            Stream.generate(() -> again(assembler))
                .anyMatch(ContextAnswer.Cancelled.class::isInstance))
        .isTrue();
  }

  /// Asks again. The answer is a refusal while earlier requests run, and then a cancel, since the
  /// token is cancelled already.
  private ContextAnswer again(ActorRef<AssembleContext> assembler) {
    ask(assembler, PipelineSamples.REQUEST);
    return answer();
  }

  @Test
  void answersThoseUnderWay_whenItIsStopped() {
    var assembler = assembler(runs(Outcome.FOUND));
    ask(assembler, PipelineSamples.REQUEST);
    opening();

    actors.stop(assembler);

    assertThat(answer()).isInstanceOf(ContextAnswer.Unavailable.class);
  }

  @Test
  void closesAWorkspace_whenItIsStopped() throws Exception {
    var reached = new CountDownLatch(1);
    PipelinePart.StrategyExecutor deaf =
        work -> {
          reached.countDown();
          return new CompletableFuture<>();
        };
    var assembler = assembler(deaf);
    ask(assembler, PipelineSamples.REQUEST);
    open();
    assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();

    actors.stop(assembler);

    assertThat(view.closed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(answer()).isInstanceOf(ContextAnswer.Unavailable.class);
  }

  @Test
  void usesThePartsOfTheRequest_beforeThoseOfItsProject_beforeThoseForAll() {
    PipelineParts all = silent("all");
    PipelineParts ofSite = silent("site");
    PipelineParts own = silent("own");
    var kit =
        new Assembler.Kit(
            List.of(PipelineSamples.on(strategy())),
            all,
            Map.of("site", ofSite, "bare", PipelineParts.NONE));

    assertThat(preamble(kit, PipelineSamples.REQUEST)).isEqualTo("all");
    assertThat(preamble(kit, PipelineSamples.REQUEST.project("bare"))).isEqualTo("all");
    assertThat(preamble(kit, PipelineSamples.REQUEST.project("site"))).isEqualTo("site");
    assertThat(preamble(kit, PipelineSamples.REQUEST.project("site").parts(own))).isEqualTo("own");
    assertThat(preamble(kit, PipelineSamples.REQUEST.parts(own))).isEqualTo("own");
  }

  private String preamble(Assembler.Kit kit, ContextRequest request) {
    ask(spawn(kit, runs(Outcome.FOUND)), request);
    open();
    return ((Assembled) answer()).preamble();
  }

  private static PipelineParts silent(String word) {
    return PipelineParts.NONE.with(
        dev.handoff.context.PipelinePart.ContextPreamble.class, (report, most, tokens) -> word);
  }

  private void ask(ActorRef<AssembleContext> assembler, ContextRequest request) {
    assembler.tell(new AssembleContext(request, stop.token(), caller.ref()));
  }

  private Workspaces.Open opening() {
    return workspaces.expectMessageClass(Workspaces.Open.class);
  }

  private void open() {
    opening().replyTo().tell(new Workspaces.Opened(view));
  }

  private ContextAnswer answer() {
    return caller.receiveMessage().answer();
  }

  private static Cancellation why() {
    return new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "test");
  }

  private ActorRef<AssembleContext> assembler(PipelinePart.StrategyExecutor executor) {
    return spawn(
        new Assembler.Kit(List.of(PipelineSamples.on(strategy())), PipelineParts.NONE, Map.of()),
        executor);
  }

  private ActorRef<AssembleContext> spawn(
      Assembler.Kit kit, PipelinePart.StrategyExecutor executor) {
    return actors.spawn(
        Behaviors.setup(
            context ->
                new AssemblerActor(
                    context,
                    new Assembler.Environment(
                        SETTINGS,
                        kit,
                        DefaultParts.with(executor),
                        workspaces.ref(),
                        CompletableFuture.completedStage(PipelineSamples.WORDS),
                        Materializer.createMaterializer(context)))));
  }

  private static PipelineSamples.Fixed strategy() {
    return new PipelineSamples.Fixed(
        "keyword", 0.5, List.of(fragment("a", "keyword", 0.5, SearchDepth.FULL)));
  }

  private static PipelinePart.StrategyExecutor runs(Outcome outcome) {
    return work -> CompletableFuture.completedStage(runs(work, outcome));
  }

  private static List<StrategyRun> runs(PipelinePart.StrategyExecutor.Work work, Outcome outcome) {
    return work.shares().stream()
        .map(
            share ->
                new StrategyRun(
                    share,
                    outcome,
                    Duration.ofMillis(1),
                    outcome == Outcome.FOUND
                        ? List.of(fragment("a", "keyword", 0.5, SearchDepth.FULL))
                        : List.of(),
                    "a detail"))
        .toList();
  }
}
