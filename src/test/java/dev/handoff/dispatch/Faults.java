package dev.handoff.dispatch;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.dispatch.Envelope;

/// What happens to messages on their way between actors. All mailboxes of a JVM ask the current
/// one.
final class Faults {

  /// What can happen to a message.
  enum Kind {
    /// It does not arrive.
    LOSE,
    /// It arrives twice.
    DOUBLE,
    /// It arrives later than a heartbeat after it was sent.
    DELAY,
    /// It arrives after the next message for the same actor.
    REORDER,
    /// It arrives, and once more, later than a heartbeat after it was sent.
    ECHO
  }

  /// Decides what happens to a message.
  private interface Fate {
    /// @return null if it just arrives
    Kind of(Object message);
  }

  private static final AtomicReference<Faults> CURRENT =
      new AtomicReference<>(new Faults(message -> null, Duration.ZERO));

  private final Fate fate;
  private final Duration delay;
  private final AtomicInteger happened = new AtomicInteger();
  private final AtomicInteger beats = new AtomicInteger();
  private final AtomicReference<Held> held = new AtomicReference<>();
  private volatile boolean over;

  private record Held(ActorRef receiver, Runnable arrive) {}

  private Faults(Fate fate, Duration delay) {
    this.fate = fate;
    this.delay = delay;
  }

  /// The n-th message of a kind meets with something.
  ///
  /// @param delay longer than a heartbeat
  static Faults one(Predicate<Object> which, Kind kind, int nth, Duration delay) {
    var seen = new AtomicInteger();
    return new Faults(
        message -> which.test(message) && seen.incrementAndGet() == nth ? kind : null, delay);
  }

  /// Now and then something happens to a message of the protocol, whichever it is.
  static Faults atRandom(Random random, double share, Duration delay) {
    var kinds = Kind.values();
    return new Faults(
        message -> {
          var known =
              Messages.KINDS.entrySet().stream()
                  .filter(kind -> kind.getValue().test(message))
                  .findFirst();
          synchronized (random) {
            var fault = kinds[random.nextInt(kinds.length)];
            boolean stands = known.isPresent() && Messages.stands(known.get().getKey(), fault);
            return stands && random.nextDouble() < share ? fault : null;
          }
        },
        delay);
  }

  static Faults current() {
    return CURRENT.get();
  }

  /// Makes this the one that all mailboxes ask.
  Faults install() {
    CURRENT.set(this);
    return this;
  }

  /// From now on everything arrives as it is sent.
  void stop() {
    over = true;
  }

  /// To how many messages something has happened.
  int happened() {
    return happened.get();
  }

  /// How many heartbeats of pools came by.
  int beats() {
    return beats.get();
  }

  void deliver(ActorRef receiver, Envelope envelope, Runnable arrive) {
    var content = Messages.content(envelope.message());
    beats.addAndGet(content instanceof FromPool.Beat ? 1 : 0);
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

  /// Until the next message for the same actor, or for the delay.
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
