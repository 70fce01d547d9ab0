package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.TestActors;
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

/// Compares the content after a restart with the replies: every acknowledged fact exists, and no
/// fact exists that was not appended.
@DisplayName("What a ledger has acknowledged")
class LedgerDurabilityTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final LedgerSettings SETTINGS =
      new LedgerSettings(
          50, 65_536, 65_536, 1 << 20, 2_048, 1_024, Duration.ofMillis(1), Duration.ofMillis(5));

  @Test
  void isThereAfterARestartWhereverTheLedgerWasStopped() {
    RandomSeeds.each(
        25, random -> crash(random, UnaryOperator.identity(), count -> random.nextInt(count)));
  }

  /// The ledger stops when everything is acknowledged and the last batch is unwritten.
  @Test
  void isSeenToBeLostWhenTheStoreAcknowledgesBeforeItWrites() {
    assertThatThrownBy(
            () -> crash(new Random(1), LedgerDurabilityTest::acknowledgingEarly, count -> count))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("acknowledged and not there");
  }

  /// @param until number of acknowledged appends, of all appends, at which the ledger stops
  private void crash(Random random, UnaryOperator<Store> between, IntUnaryOperator until)
      throws Exception {
    var settings =
        new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "a test");
    try (var store = StoreOpener.open(settings)) {
      var appended = new HashMap<String, List<Integer>>();
      var acknowledged = new ConcurrentLinkedQueue<Integer>();
      var first = start(between.apply(store));
      int count = 20 + random.nextInt(300);
      for (int i = 0; i < count; i++) {
        var entity = CounterEntities.id(random.nextInt(20));
        int amount = i;
        appended.computeIfAbsent(entity, none -> new ArrayList<>()).add(amount);
        first.tell(
            new Ledger.Append(
                entity,
                List.of(CounterEntities.added(entity, amount)),
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
            store,
            CounterEntities.codec(),
            CounterEntities::fold,
            SETTINGS,
            ForkJoinPool.commonPool());
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
        .forEach(
            state -> amounts.put(state.id().value(), ((CounterEntities.Counter) state).added()));
    return amounts;
  }

  /// Store that acknowledges a batch at once, and writes it when the next batch arrives.
  private static Store acknowledgingEarly(Store store) {
    var late = new ArrayList<StoreBatch>();
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, args) -> {
              if (method.getName().equals("write")) {
                late.forEach(store::write);
                late.clear();
                late.add((StoreBatch) args[0]);
                return CompletableFuture.completedStage(
                    new WriteResult.Written(((StoreBatch) args[0]).seq()));
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
