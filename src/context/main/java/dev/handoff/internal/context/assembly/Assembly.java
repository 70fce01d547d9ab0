package dev.handoff.internal.context.assembly;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.Assembled;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.context.TokenCounter;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.PekkoStages;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.context.workspace.Workspaces;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.jspecify.annotations.Nullable;

/// One context request, from opening the workspace to the answer.
///
/// ```
/// invalid request ──▶ answered
/// opening ──Opened──▶ assembling ──Ended──▶ answered
///    │                    └──Stopped: token is cancelled──Ended, or patience over──▶ answered
///    ├──Refused──▶ answered
///    └──Stopped──▶ answered, leaving: a view that arrives later is closed
/// ```
final class Assembly {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private record Replied(Workspaces.@Nullable Reply reply) implements Command {}

  private record Stopped(Cancellation why) implements Command {}

  /// @param assembled null = failure
  private record Ended(@Nullable Assembled assembled, @Nullable Throwable failure)
      implements Command {}

  private enum PatienceOver implements Command {
    INSTANCE
  }

  /// Time limit for opening; a large directory has to be indexed first.
  private static final Duration OPENING = Duration.ofMinutes(10);

  /// Grace period after a cancel. Strategies stop and their partial results are reported, but
  /// custom pipeline parts may ignore the token.
  private static final Duration STOPPING = Duration.ofSeconds(5);

  private static final String PATIENCE = "patience";
  private static final String OPENED = "opened";

  /// Custom parts and strategies may block, and token counting of large files is slow. A separate
  /// dispatcher keeps this work away from the job actors.
  private static final Attributes THREADS =
      ActorAttributes.dispatcher("pekko.actor.default-blocking-io-dispatcher");

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final ContextRequest request;
  private final CancellationToken stop;
  private final ActorRef<AssembleContext.Answered> replyTo;
  private final Assembler.Environment environment;

  /// Ends the subscription to the token, which may live much longer than this request.
  private final CompletableFuture<Void> answered = new CompletableFuture<>();

  private Assembly(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      AssembleContext wanted,
      Assembler.Environment environment) {
    this.context = context;
    this.timers = timers;
    request = wanted.request();
    stop = wanted.stop();
    replyTo = wanted.replyTo();
    this.environment = environment;
  }

  static Behavior<Command> create(
      AssembleContext wanted, Assembler.Environment environment, RequestRules rules) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Assembler.class);
          return Behaviors.withTimers(
              timers -> new Assembly(context, timers, wanted, environment).begin(rules));
        });
  }

  private Behavior<Command> begin(RequestRules rules) {
    return rules
        .problem(request)
        .map(problem -> answer(new ContextAnswer.Invalid(problem)))
        .orElseGet(this::open);
  }

  private Behavior<Command> open() {
    var self = context.getSelf();
    stop.onCancelUntil(answered, CallbackThreads.answers(), why -> self.tell(new Stopped(why)));
    timers.startSingleTimer(OPENED, new Replied(null), OPENING);
    var to = context.messageAdapter(Workspaces.Reply.class, Replied::new);
    environment.workspaces().tell(new Workspaces.Open(request.root(), to));
    return opening();
  }

  private Behavior<Command> opening() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Replied(var reply) -> onReplied(reply);
              case Stopped(var why) -> onStoppedEarly(why);
              case Ended never -> Behaviors.same();
              case PatienceOver never -> Behaviors.same();
            });
  }

  private Behavior<Command> onReplied(Workspaces.@Nullable Reply reply) {
    timers.cancel(OPENED);
    return switch (reply) {
      case null ->
          answer(
              new ContextAnswer.NoWorkspace(
                  "%s was not indexed within %s"
                      .formatted(request.root(), Durations.exact(OPENING))));
      case Workspaces.Refused(var reason) -> answer(new ContextAnswer.NoWorkspace(reason));
      case Workspaces.Opened(var view) -> assemble(view);
    };
  }

  private Behavior<Command> onStoppedEarly(Cancellation why) {
    tell(new ContextAnswer.Cancelled(why.reason(), Assembled.Report.NONE));
    return leaving();
  }

  /// State after an early answer: closes a view that is still opened.
  private Behavior<Command> leaving() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Replied(Workspaces.Opened(var view)) -> {
                close(view);
                yield Behaviors.stopped();
              }
              case Replied none -> Behaviors.stopped();
              case Stopped again -> Behaviors.same();
              case Ended never -> Behaviors.same();
              case PatienceOver never -> Behaviors.same();
            });
  }

  private Behavior<Command> assemble(WorkspaceView view) {
    var missing = AssemblyInput.missing(request, view);
    if (missing.isPresent()) {
      close(view);
      return answer(new ContextAnswer.Invalid(missing.get()));
    }
    context.pipeToSelf(environment.tokens().thenCompose(tokens -> run(view, tokens)), Ended::new);
    return assembling(view);
  }

  private CompletionStage<Assembled> run(WorkspaceView view, TokenCounter tokens) {
    var input =
        new AssemblyInput(
            request, environment.kit().strategies(), view, TokenCounters.remembering(tokens), stop);
    var parts = environment.kit().parts(request, environment.defaults());
    return PekkoStages.ours(
        new AssemblyPipeline(parts, input)
            .assemble()
            .toMat(Sink.head(), Keep.right())
            .withAttributes(THREADS)
            .run(environment.materializer()));
  }

  private Behavior<Command> assembling(WorkspaceView view) {
    return Behaviors.receive(
        (own, message) ->
            switch (message) {
              case Ended ended -> onEnded(view, ended);
              case Stopped stopped -> onStopped();
              case PatienceOver over -> onPatienceOver();
              case Replied never -> Behaviors.same();
            },
        (own, signal) -> onSignal(view, signal));
  }

  private Behavior<Command> onStopped() {
    timers.startSingleTimer(PATIENCE, PatienceOver.INSTANCE, STOPPING);
    return Behaviors.same();
  }

  private Behavior<Command> onPatienceOver() {
    var reason =
        "cancelled; a part of the pipeline did not stop within %s"
            .formatted(Durations.exact(STOPPING));
    return answer(new ContextAnswer.Cancelled(reason, Assembled.Report.NONE));
  }

  private Behavior<Command> onEnded(WorkspaceView view, Ended ended) {
    var assembled = ended.assembled();
    return answer(assembled == null ? failed(view, ended.failure()) : judged(assembled));
  }

  /// Closes the view on any stop of this actor, including engine shutdown.
  private Behavior<Command> onSignal(WorkspaceView view, Signal signal) {
    if (signal instanceof PostStop) {
      close(view);
      return Behaviors.same();
    }
    return Behaviors.unhandled();
  }

  /// Turns the result into an answer. A context without a successful strategy counts as failure.
  private ContextAnswer judged(Assembled assembled) {
    var report = assembled.report();
    if (stop.isCancelled()) {
      var reason = stop.cancellation().map(Cancellation::reason).orElse("cancelled");
      return new ContextAnswer.Cancelled(reason, report);
    }
    var asked =
        report.strategies().stream().filter(one -> one.outcome() != Outcome.SKIPPED).toList();
    if (asked.stream().anyMatch(one -> one.outcome().isFine())) {
      return assembled;
    }
    var problems =
        report.strategies().stream()
            .filter(one -> asked.isEmpty() ? isWanted(one.name()) : asked.contains(one))
            .map(one -> one.name() + ": " + one.detail())
            .sorted()
            .toList();
    var words = problems.isEmpty() ? "there is none" : String.join("; ", problems);
    return new ContextAnswer.Failed("no strategy could look: " + words, report);
  }

  private boolean isWanted(String strategy) {
    return request.only().isEmpty() || request.only().contains(strategy);
  }

  private ContextAnswer failed(WorkspaceView view, @Nullable Throwable failure) {
    var cause = StageFailures.cause(failure);
    return cause instanceof PartFailedException broken
        ? new ContextAnswer.Failed(
            String.valueOf(broken.getMessage()),
            broken.draft().report(request.sharedBudget().pool(), view.notes(), 0, Duration.ZERO))
        : new ContextAnswer.Failed("the assembly failed: " + cause, Assembled.Report.NONE);
  }

  /// Closes the view on a thread of its own, because closing may wait for the disk.
  private static void close(WorkspaceView view) {
    Thread.ofPlatform().daemon().name("handoff-workspace-close").start(view::close);
  }

  private Behavior<Command> answer(ContextAnswer answer) {
    tell(answer);
    return Behaviors.stopped();
  }

  private void tell(ContextAnswer answer) {
    answered.complete(null);
    replyTo.tell(new AssembleContext.Answered(answer));
  }
}
