package dev.handoff.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Seeds;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The checker is small: whatever a sender was told to be durable is there after a restart, and
/// nothing is there that nobody appended.
@DisplayName("What a ledger has acknowledged")
class LedgerDurabilityTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private static final LedgerSettings SETTINGS =
      new LedgerSettings(
          50, 65_536, 65_536, 1 << 20, 2_048, 1_024, Duration.ofMillis(1), Duration.ofMillis(5));

  @Test
  void isThereAfterARestartWhereverTheLedgerWasStopped() {
    Seeds.each(
        25, random -> crash(random, UnaryOperator.identity(), count -> random.nextInt(count)));
  }

  /// Stopped when all is acknowledged, and the last batch held.
  @Test
  void isSeenToBeLostWhenTheStoreAcknowledgesBeforeItWrites() {
    assertThatThrownBy(
            () -> crash(new Random(1), LedgerDurabilityTest::acknowledgingEarly, count -> count))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("acknowledged and not there");
  }

  /// @param until how many of so many appends are acknowledged before the ledger is stopped
  private void crash(Random random, UnaryOperator<Store> between, IntUnaryOperator until)
      throws Exception {
    var settings =
        new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "a test");
    try (var store = Stores.open(settings)) {
      var appended = new HashMap<String, List<Integer>>();
      var acknowledged = new ConcurrentLinkedQueue<Integer>();
      var first = start(between.apply(store));
      int count = 20 + random.nextInt(300);
      for (int i = 0; i < count; i++) {
        var entity = Counters.id(random.nextInt(20));
        int amount = i;
        appended.computeIfAbsent(entity, none -> new ArrayList<>()).add(amount);
        first.tell(
            new Ledger.Append(
                entity,
                List.of(Counters.added(entity, amount)),
                List.of(),
                List.of(),
                reply -> acknowledged.add(amount)));
      }
      awaitSome(acknowledged, until.applyAsInt(count));
      actors.stop(first);
      var told = List.copyOf(acknowledged);

      check(told, appended, states(start(store)));
    }
  }

  private static void check(
      List<Integer> told, Map<String, List<Integer>> appended, Map<String, List<Integer>> found) {
    var there = found.values().stream().flatMap(List::stream).toList();
    assertThat(there).as("acknowledged and not there").containsAll(told);
    found.forEach(
        (entity, amounts) ->
            assertThat(appended.get(entity))
                .as("the beginning of what was appended, in order")
                .startsWith(amounts.toArray(Integer[]::new)));
  }

  private static void awaitSome(ConcurrentLinkedQueue<Integer> acknowledged, int count) {
    long patience = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (acknowledged.size() < count && System.nanoTime() < patience) {
      Thread.onSpinWait();
    }
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(count);
  }

  private static ActorRef<Ledger.Command> start(Store store) {
    var partition = actors.probe(LedgerNotice.class);
    var environment =
        new LedgerEnvironment(
            store, Counters.codec(), Counters::fold, SETTINGS, ForkJoinPool.commonPool());
    var ledger = actors.spawn(Ledger.create(0, "a test", environment, partition.ref()));
    partition.expectMessageClass(LedgerNotice.Recovered.class);
    return ledger;
  }

  private static Map<String, List<Integer>> states(ActorRef<Ledger.Command> ledger)
      throws Exception {
    var states = new CompletableFuture<List<EntityState>>();
    ledger.tell(new Ledger.GetStates(states::complete));
    var amounts = new HashMap<String, List<Integer>>();
    states
        .get(10, java.util.concurrent.TimeUnit.SECONDS)
        .forEach(state -> amounts.put(state.id().value(), ((Counters.Counter) state).added()));
    return amounts;
  }

  /// Says that a batch is durable, and writes it when the next one comes.
  private static Store acknowledgingEarly(Store store) {
    var late = new ArrayList<Batch>();
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, args) -> {
              if (method.getName().equals("write")) {
                late.forEach(store::write);
                late.clear();
                late.add((Batch) args[0]);
                return CompletableFuture.completedStage(
                    new WriteResult.Written(((Batch) args[0]).seq()));
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
