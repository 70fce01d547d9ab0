package dev.handoff.internal.dispatch;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.dispatch.Envelope;

/// Faults of messages between actors. All mailboxes of the JVM use the installed instance.
final class MessageFaults {

  /// Kind of fault.
  enum Kind {
    /// The message is lost.
    LOSE,
    /// The message arrives twice.
    DOUBLE,
    /// The message arrives more than a heartbeat late.
    DELAY,
    /// The message arrives after the next message for the same actor.
    REORDER,
    /// The message arrives, and again more than a heartbeat later.
    ECHO
  }

  /// Chooses the fault of a message.
  private interface Fate {
    /// @return null for delivery without a fault
    Kind of(Object message);
  }

  private static final AtomicReference<MessageFaults> CURRENT =
      new AtomicReference<>(new MessageFaults(message -> null, Duration.ZERO));

  private final Fate fate;
  private final Duration delay;
  private final AtomicInteger happened = new AtomicInteger();
  private final AtomicInteger beats = new AtomicInteger();
  private final AtomicReference<Held> held = new AtomicReference<>();
  private volatile boolean over;

  private record Held(ActorRef receiver, Runnable arrive) {}

  private MessageFaults(Fate fate, Duration delay) {
    this.fate = fate;
    this.delay = delay;
  }

  /// Faults with one fault, at the n-th matching message.
  ///
  /// @param delay longer than a heartbeat
  static MessageFaults one(Predicate<Object> which, Kind kind, int nth, Duration delay) {
    var seen = new AtomicInteger();
    return new MessageFaults(
        message -> which.test(message) && seen.incrementAndGet() == nth ? kind : null, delay);
  }

  /// Faults at random messages of the protocol.
  static MessageFaults atRandom(Random random, double share, Duration delay) {
    var kinds = Kind.values();
    return new MessageFaults(
        message -> {
          var known =
              ProtocolMessages.KINDS.entrySet().stream()
                  .filter(kind -> kind.getValue().test(message))
                  .findFirst();
          synchronized (random) {
            var fault = kinds[random.nextInt(kinds.length)];
            boolean stands =
                known.isPresent() && ProtocolMessages.stands(known.get().getKey(), fault);
            return stands && random.nextDouble() < share ? fault : null;
          }
        },
        delay);
  }

  static MessageFaults current() {
    return CURRENT.get();
  }

  /// Installs these faults for all mailboxes.
  MessageFaults install() {
    CURRENT.set(this);
    return this;
  }

  /// Ends all faults: later messages are delivered normally.
  void stop() {
    over = true;
  }

  /// Number of faults so far.
  int happened() {
    return happened.get();
  }

  /// Number of pool heartbeats so far.
  int beats() {
    return beats.get();
  }

  void deliver(ActorRef receiver, Envelope envelope, Runnable arrive) {
    var content = ProtocolMessages.content(envelope.message());
    beats.addAndGet(content instanceof PoolMessage.Beat ? 1 : 0);
    var kind = over ? null : fate.of(content);
    if (kind != null) {
      happened.incrementAndGet();
      happen(kind, receiver, envelope, arrive);
    } else {
      arrive.run();
      release(receiver);
    }
  }

  private void release(ActorRef receiver) {
    var waiting = held.get();
    boolean next = waiting != null && waiting.receiver().equals(receiver);
    if (next && held.compareAndSet(waiting, null)) {
      waiting.arrive().run();
    }
  }

  private void happen(Kind kind, ActorRef receiver, Envelope envelope, Runnable arrive) {
    Runnable again = () -> receiver.tell(envelope.message(), envelope.sender());
    switch (kind) {
      case LOSE -> {}
      case DOUBLE -> {
        arrive.run();
        arrive.run();
      }
      case DELAY -> later(again);
      case ECHO -> {
        arrive.run();
        later(again);
      }
      case REORDER -> hold(new Held(receiver, again));
    }
  }

  /// Holds a message until the next one for the same actor, or until the delay has passed.
  private void hold(Held message) {
    var before = held.getAndSet(message);
    if (before != null) {
      before.arrive().run();
    }
    later(
        () -> {
          if (held.compareAndSet(message, null)) {
            message.arrive().run();
          }
        });
  }

  private void later(Runnable arrive) {
    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(arrive);
  }
}
