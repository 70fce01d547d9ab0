package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerInfo;
import dev.handoff.internal.actor.FatalErrorGuard;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Sends one order to all breakers and replies with the answers that arrive in time.
final class BreakerSurvey extends AbstractMatchingBehavior<BreakerSurvey.Command> {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private record Heard(Breakers.Reply reply) implements Command {}

  private enum TimeOver implements Command {
    INSTANCE
  }

  static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Map<String, ActorRef<Breaker.Command>> silent;
  private final Map<String, BreakerInfo> heard = new TreeMap<>();
  private final ActorRef<Breakers.All> replyTo;

  static Behavior<Command> create(
      Map<String, ActorRef<Breaker.Command>> breakers,
      Breaker.Order order,
      ActorRef<Breakers.All> replyTo) {
    return FatalErrorGuard.setup(
        context -> new BreakerSurvey(context, breakers, replyTo).ask(order));
  }

  private BreakerSurvey(
      ActorContext<Command> context,
      Map<String, ActorRef<Breaker.Command>> breakers,
      ActorRef<Breakers.All> replyTo) {
    super(context);
    this.silent = new HashMap<>(breakers);
    this.replyTo = replyTo;
  }

  private Behavior<Command> ask(Breaker.Order order) {
    var context = getContext();
    var answers = context.messageAdapter(Breakers.Reply.class, Heard::new);
    silent
        .values()
        .forEach(
            breaker -> {
              context.watch(breaker);
              breaker.tell(new Breaker.Steer(order, answers));
            });
    context.scheduleOnce(PATIENCE, context.getSelf(), TimeOver.INSTANCE);
    return next();
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    return switch (message) {
      case Heard(Breakers.Found(var info)) -> {
        heard.put(info.name(), info);
        silent.remove(info.name());
        yield next();
      }
      case Heard other -> this;
      case TimeOver over -> answer();
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof Terminated gone) {
      silent.values().removeIf(breaker -> breaker.equals(gone.getRef()));
      return next();
    }
    return Behaviors.unhandled();
  }

  private Behavior<Command> next() {
    return silent.isEmpty() ? answer() : this;
  }

  private Behavior<Command> answer() {
    replyTo.tell(new Breakers.All(heard.values().stream().toList()));
    return Behaviors.stopped();
  }
}
