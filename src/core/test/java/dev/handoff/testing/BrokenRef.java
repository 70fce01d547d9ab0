package dev.handoff.testing;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.LocalRef;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import scala.collection.Iterator;

/// Actor reference that throws an `Error` when a message is sent to it. An actor that replies to it
/// crashes at that reply, and also where it reports the crash.
///
/// @param <T> type of the messages
public final class BrokenRef<T> extends InternalActorRef implements LocalRef {

  private final ActorRefProvider provider;
  private final ActorPath path;
  private final AtomicInteger failures;
  private final Supplier<Error> error;
  private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

  /// @param failures number of messages that throw; later messages are received
  public BrokenRef(ActorSystem<?> system, int failures, Supplier<Error> error) {
    this.provider = ((ExtendedActorSystem) Adapter.toClassic(system)).provider();
    this.path = provider.tempPath();
    this.failures = new AtomicInteger(failures);
    this.error = error;
    provider.registerTempActor(this, path);
  }

  /// Reference that throws at every message.
  public static <T> BrokenRef<T> always(ActorSystem<?> system) {
    return new BrokenRef<>(system, Integer.MAX_VALUE, () -> new StackOverflowError("deep"));
  }

  /// Reference that throws at the first message.
  public static <T> BrokenRef<T> once(ActorSystem<?> system) {
    return new BrokenRef<>(system, 1, () -> new StackOverflowError("deep"));
  }

  /// Reference that receives messages until [#breakDown], and then throws an `OutOfMemoryError`.
  public static <T> BrokenRef<T> full(ActorSystem<?> system) {
    return new BrokenRef<>(system, 0, () -> new OutOfMemoryError("at first"));
  }

  /// Makes the next messages throw.
  public void breakDown(int more) {
    failures.set(more);
  }

  public org.apache.pekko.actor.typed.ActorRef<T> typed() {
    return Adapter.toTyped(this);
  }

  /// Waits for the next received message.
  public Object next() {
    return BoundedWaits.take(heard);
  }

  /// Whether all announced failures have been thrown.
  public boolean isMended() {
    return failures.get() <= 0;
  }

  @Override
  public void $bang(Object message, ActorRef sender) {
    if (failures.getAndDecrement() > 0) {
      throw error.get();
    }
    heard.add(message);
  }

  @Override
  public ActorPath path() {
    return path;
  }

  @Override
  public ActorRefProvider provider() {
    return provider;
  }

  @Override
  public InternalActorRef getParent() {
    return provider.tempContainer();
  }

  @Override
  public InternalActorRef getChild(Iterator<String> names) {
    return names.forall(String::isEmpty) ? this : Nobody$.MODULE$;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public void start() {}

  @Override
  public void resume(Throwable cause) {}

  @Override
  public void suspend() {}

  @Override
  public void restart(Throwable cause) {}

  @Override
  public void stop() {}

  @Override
  public void sendSystemMessage(SystemMessage message) {}
}
