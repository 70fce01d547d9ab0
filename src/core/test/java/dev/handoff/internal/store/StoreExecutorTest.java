package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.testing.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("An executor of a store")
class StoreExecutorTest {

  /// Session with a number.
  private record Session(int number, AtomicInteger open) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      open.decrementAndGet();
      throw new SQLException("closing never goes well here");
    }
  }

  /// Number of further `OutOfMemoryError`s while a failure is classified.
  private static final AtomicInteger FULL = new AtomicInteger();

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean reachable = true;
  private volatile boolean linked = true;
  private StoreExecutor<Session> executor = start(true);

  @AfterEach
  void close() {
    executor.close();
    assertThat(open).hasValue(0);
  }

  private StoreExecutor<Session> start(boolean keeps) {
    return StoreExecutor.start(
        "test", 1, StoreExecutor.Bench.single(this::connect, StoreExecutorTest::trouble, keeps));
  }

  private Session connect() throws SQLException {
    if (!reachable) {
      throw new SQLException("nobody there", "08001");
    }
    if (!linked) {
      throw new NoClassDefFoundError("a driver without its library");
    }
    open.incrementAndGet();
    return new Session(opened.incrementAndGet(), open);
  }

  private static DatabaseFailure trouble(Throwable failure) {
    if (failure instanceof OutOfMemoryError && FULL.getAndDecrement() > 0) {
      throw new OutOfMemoryError("nor for this");
    }
    return switch (String.valueOf(failure.getMessage())) {
      case "data" -> new DatabaseFailure.Data("no such data");
      case "damage" -> new DatabaseFailure.Damage("torn", failure);
      case "lost" -> new DatabaseFailure.Away("lost", Duration.ofMillis(1), true, failure);
      default -> new DatabaseFailure.Away("away", Duration.ofMillis(1), false, failure);
    };
  }

  private <T> CompletableFuture<T> ask(StoreTask.Work<Session, T> work) {
    return executor.submit(
        new StoreTask<>(
            "asking",
            work,
            trouble -> {
              throw trouble.asException("asking");
            }));
  }

  @Test
  void livesAndAnswersWhenThereIsNoMemoryEvenToSaySo() {
    FULL.set(3);

    var failed =
        ask(
            session -> {
              throw new OutOfMemoryError("for this");
            });

    assertThatThrownBy(() -> get(failed)).hasMessageContaining("away");
    assertThat(FULL).hasValue(-1);
    assertThat(get(ask(Session::number))).isEqualTo(2);
  }

  /// A separate process: no other JVM would survive the full heap.
  @Test
  void answersATaskAlsoWhereThereIsNoMemoryToBeginWithIt() throws Exception {
    var command = ChildJvm.command(FullStoreQueue.class, "-Xmx24m");
    var running = new ProcessBuilder(command).redirectErrorStream(true).start();

    var lines = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines();

    assertThat(lines.toList().getLast()).startsWith("done, java.lang.OutOfMemoryError");
  }

  @Test
  void answersInOrderWithOneSession() {
    var numbers = new ArrayList<Integer>();

    var answers =
        IntStream.range(0, 100)
            .mapToObj(
                number ->
                    ask(
                        session -> {
                          numbers.add(number);
                          return session.number();
                        }))
            .toList();

    assertThat(answers).map(StageWait::get).containsOnly(1);
    assertThat(numbers).isSorted().hasSize(100);
  }

  @Test
  void triesOnceMoreWithANewSessionWhenOneIsLost() {
    var attempts = new AtomicInteger();

    int session =
        get(
            ask(
                it -> {
                  if (attempts.incrementAndGet() == 1) {
                    throw new SQLException("lost");
                  }
                  return it.number();
                }));

    assertThat(session).isEqualTo(2);
    assertThatThrownBy(() -> get(ask(StoreExecutorTest::alwaysLost)))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessage("asking: lost");
    assertThat(opened).hasValue(3);
  }

  private static Integer alwaysLost(Session session) throws SQLException {
    throw new SQLException("lost");
  }

  @Test
  void keepsItsSessionWhenOnlyTheDataIsWrong() {
    assertThatThrownBy(() -> get(ask(fails("data")))).isInstanceOf(StoreException.Unfit.class);

    assertThat(get(ask(Session::number))).isEqualTo(1);
  }

  @Test
  void opensAnotherSessionAfterAnythingElse() {
    assertThatThrownBy(() -> get(ask(fails("damage"))))
        .isInstanceOf(StoreException.Unreadable.class);
    assertThat(get(ask(Session::number))).isEqualTo(2);
    assertThatThrownBy(() -> get(ask(fails("other"))))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(get(ask(Session::number))).isEqualTo(3);
  }

  @Test
  void outlivesErrorsAndInterrupts() {
    Thread thread = get(ask(session -> Thread.currentThread()));

    assertThatThrownBy(() -> get(ask(StoreExecutorTest::overflows)))
        .isInstanceOf(StoreException.Unavailable.class);
    thread.interrupt();

    Thread after = get(ask(session -> Thread.currentThread()));
    assertThat(after).isSameAs(thread);
  }

  private static Integer overflows(Session session) {
    throw new StackOverflowError();
  }

  @Test
  void outlivesAnErrorOnItsWayIn() {
    linked = false;
    assertThatThrownBy(() -> get(ask(Session::number)))
        .isInstanceOf(StoreException.Unavailable.class);

    linked = true;
    assertThat(get(ask(Session::number))).isEqualTo(1);
  }

  @Test
  void tellsEverybodyWhoWaitsWhenThereIsNoWayIn() throws InterruptedException {
    var working = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    executor.close();
    executor = start(false);
    var first =
        ask(
            session -> {
              working.countDown();
              awaitQuietly(go);
              throw new SQLException("broken");
            });
    working.await();
    reachable = false;
    var waiting = IntStream.range(0, 5).mapToObj(number -> ask(Session::number)).toList();

    go.countDown();

    var all = new ArrayList<CompletableFuture<?>>(waiting);
    all.add(first);
    assertThat(all)
        .allSatisfy(
            answer ->
                assertThatThrownBy(() -> get(answer))
                    .isInstanceOf(StoreException.Unavailable.class));
    reachable = true;
    assertThat(get(ask(Session::number))).isEqualTo(opened.get());
  }

  @Test
  void turnsAwayWhatComesWhenTooManyWait() throws InterruptedException {
    var go = new CountDownLatch(1);
    var working = new CountDownLatch(1);
    ask(
        session -> {
          working.countDown();
          awaitQuietly(go);
          return 0;
        });
    working.await();
    var waiting =
        IntStream.range(0, StoreExecutor.CAPACITY)
            .mapToObj(number -> ask(Session::number))
            .toList();

    var tooMany = ask(Session::number);

    assertThat(tooMany).isCompletedExceptionally();
    assertThatThrownBy(() -> get(tooMany)).hasMessageContaining("10000 requests wait");
    go.countDown();
    assertThat(get(waiting.getLast())).isEqualTo(1);
  }

  private record Weighing(long bytes, AtomicInteger turns)
      implements StoreTask.Work<Session, Integer> {
    @Override
    public Integer run(Session session) {
      return turns.get();
    }
  }

  /// Small requests must not wait behind all large ones.
  @Test
  void dividesWhatWaitsWhenItIsMuch() throws InterruptedException {
    executor.close();
    var turns = new AtomicInteger();
    executor =
        StoreExecutor.start(
            "test",
            1,
            new StoreExecutor.Bench<>(
                this::connect,
                StoreExecutorTest::trouble,
                (session, tasks) -> {
                  turns.incrementAndGet();
                  for (StoreTask<Session, ?> task : tasks) {
                    task.run(session);
                    task.tell();
                  }
                },
                64,
                true));
    var working = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    ask(
        session -> {
          working.countDown();
          awaitQuietly(go);
          return 0;
        });
    working.await();
    var much = IntStream.range(0, 20).mapToObj(n -> ask(new Weighing(3 << 20, turns))).toList();
    var little = IntStream.range(0, 20).mapToObj(n -> ask(new Weighing(0, turns))).toList();

    go.countDown();

    assertThat(much).map(StageWait::get).endsWith(7, 8, 8);
    assertThat(little).map(StageWait::get).containsOnly(8);
  }

  @Test
  void letsNothingThroughOnceItIsBarred() {
    get(ask(Session::number));

    executor.bar(new DatabaseFailure.Taken("somebody else"));

    assertThatThrownBy(() -> get(ask(Session::number)))
        .isInstanceOf(StoreException.Held.class)
        .hasMessage("asking: the store is held by somebody else now");
    StoreTask<Session, WriteResult> write =
        new StoreTask<>(
            "writing", session -> new WriteResult.Written(1), it -> it.asResult("writing"));
    assertThat(get(executor.submit(write))).isEqualTo(new WriteResult.Fenced("somebody else"));
  }

  @Test
  void finishesWhatWasHandedInBeforeItClosesAndRefusesTheRest() {
    var answers = IntStream.range(0, 50).mapToObj(number -> ask(Session::number)).toList();

    executor.close();

    assertThat(answers).map(StageWait::get).containsOnly(1);
    assertThatThrownBy(() -> get(ask(Session::number))).hasMessageContaining("the store is closed");
  }

  @Test
  void closesAlsoWhenWhoeverClosesItIsInterrupted() {
    var closer = Thread.currentThread();
    var answer =
        ask(
            session -> {
              StageWait.until(() -> closer.getState() == Thread.State.WAITING);
              return session.number();
            });
    closer.interrupt();

    executor.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(get(answer)).isEqualTo(1);
  }

  @Test
  @Timeout(10)
  void endsAlsoIfItsSessionCannotBeClosedForAnError() {
    StoreExecutor<AutoCloseable> broken =
        StoreExecutor.start(
            "broken",
            1,
            StoreExecutor.Bench.single(
                () -> StoreExecutorTest::sink, StoreExecutorTest::trouble, true));
    broken.submit(new StoreTask<>("opening", session -> 1, trouble -> -1)).join();

    broken.close();

    assertThat(broken.submit(new StoreTask<>("late", session -> 1, trouble -> -1)))
        .isCompletedWithValue(-1);
  }

  private static void sink() {
    throw new NoClassDefFoundError("a driver without its library");
  }

  @Test
  void givesItsSessionBackWhileThereIsNothingToDo() {
    executor.close();
    executor = start(false);

    assertThat(List.of(get(ask(Session::number)), get(ask(Session::number)))).doesNotContain(0);

    StageWait.until(() -> open.get() == 0);
  }

  private static StoreTask.Work<Session, Integer> fails(String message) {
    return session -> {
      throw new SQLException(message);
    };
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stray) {
      throw new IllegalStateException(stray);
    }
  }
}
