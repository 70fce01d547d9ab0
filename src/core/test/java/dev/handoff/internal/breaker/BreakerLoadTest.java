package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A breaker under load")
class BreakerLoadTest {

  @RegisterExtension
  static final TestActors actors =
      TestActors.inRealTime().with("pekko.actor.serialize-messages = off");

  private static final int THREADS = 64;
  private static final int PAIRS = 15_625;

  private final ActorRef<Breakers.Command> breakers =
      actors.spawn(
          Breakers.create(
              new Breakers.Environment(
                  BreakerRules.settings("breakers.default.failure-threshold = 1000000"),
                  InstantSource.system(),
                  ThreadLocalRandom::current,
                  new CancellationSource())));

  private <C, R> R ask(ActorRef<C> whom, Function<ActorRef<R>, C> message) {
    return AskPattern.<C, R>ask(
            whom, message::apply, BoundedWaits.PATIENCE, actors.system().scheduler())
        .toCompletableFuture()
        .join();
  }

  /// A million permit requests, each awaited, and as many reports.
  @Test
  void countsExactlyWhatSixtyFourThreadsDo() throws InterruptedException {
    var failed = new LongAdder();
    var succeeded = new LongAdder();
    var released = new LongAdder();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int pair = 0; pair < PAIRS; pair++) {
                      report(pair % 10 < 5 ? succeeded : pair % 10 < 8 ? failed : released, pair);
                    }
                  }));
    }
    for (var thread : threads) {
      thread.join();
    }

    var counts =
        ((Breakers.Found)
                this.<Breakers.Command, Breakers.Reply>ask(
                    breakers, replyTo -> new Breakers.Steer("search", Breaker.Order.LOOK, replyTo)))
            .info()
            .counts();

    assertThat(counts.calls()).isEqualTo((long) THREADS * PAIRS).isEqualTo(1_000_000);
    assertThat(counts.successes()).isEqualTo(succeeded.sum());
    assertThat(counts.failures()).isEqualTo(failed.sum());
    assertThat(counts.released()).isEqualTo(released.sum());
    assertThat(counts.late() + counts.lost() + counts.rejected()).isZero();
  }

  private void report(LongAdder what, int pair) {
    what.increment();
    var permit =
        (Breaker.Permit)
            this.<Breakers.Command, Breaker.Answer>ask(
                breakers, replyTo -> new Breakers.Acquire("search", replyTo));
    var took = Duration.ofNanos(pair);
    var nobody = actors.system().<Breaker.Heard>ignoreRef();
    permit
        .breaker()
        .tell(
            pair % 10 < 5
                ? new Breaker.Succeeded(permit, took, nobody)
                : pair % 10 < 8
                    ? new Breaker.Failed(permit, BreakerRules.ERROR, took, nobody)
                    : new Breaker.Released(permit, nobody));
  }
}
