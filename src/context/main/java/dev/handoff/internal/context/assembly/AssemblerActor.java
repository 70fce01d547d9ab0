package dev.handoff.internal.context.assembly;

import dev.handoff.context.Assembled;
import dev.handoff.context.ContextAnswer;
import dev.handoff.internal.spi.AssembleContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Starts one [Assembly] actor per request, up to a limit, and answers for assemblies that crash.
/// It never inspects a request itself, so a bad request breaks only its own assembly.
final class AssemblerActor extends AbstractMatchingBehavior<AssembleContext> {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Assembler.Environment environment;
  private final RequestRules rules;
  private final Map<ActorRef<?>, ActorRef<AssembleContext.Answered>> underWay = new HashMap<>();

  AssemblerActor(ActorContext<AssembleContext> context, Assembler.Environment environment) {
    super(context);
    this.environment = environment;
    rules = RequestRules.of(environment.kit());
  }

  @Override
  public Behavior<AssembleContext> onMessage(AssembleContext message) {
    if (underWay.size() >= environment.settings().atOnce()) {
      var reason =
          "%d contexts are being assembled: that is all that handoff.context.at-once allows"
              .formatted(underWay.size());
      answer(message.replyTo(), new ContextAnswer.Unavailable(reason, RETRY_AFTER));
    } else {
      var assembly = getContext().spawnAnonymous(Assembly.create(message, environment, rules));
      getContext().watch(assembly);
      underWay.put(assembly, message.replyTo());
    }
    return this;
  }

  @Override
  public Behavior<AssembleContext> onSignal(Signal signal) {
    switch (signal) {
      case ChildFailed failed -> onFailed(failed);
      case Terminated ended -> underWay.remove(ended.getRef());
      case PostStop end -> onEnd();
      default -> {
        return Behaviors.unhandled();
      }
    }
    return this;
  }

  private void onFailed(ChildFailed failed) {
    var waiting = underWay.remove(failed.getRef());
    if (waiting != null) {
      var reason = "the assembly failed: " + failed.cause();
      answer(waiting, new ContextAnswer.Failed(reason, Assembled.Report.NONE));
    }
  }

  /// Answers the running requests; their assemblies stop with this actor.
  private void onEnd() {
    underWay
        .values()
        .forEach(
            waiting ->
                answer(
                    waiting, new ContextAnswer.Unavailable("the engine is closed", RETRY_AFTER)));
  }

  private static void answer(ActorRef<AssembleContext.Answered> replyTo, ContextAnswer answer) {
    replyTo.tell(new AssembleContext.Answered(answer));
  }
}
