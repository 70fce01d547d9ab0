package dev.handoff.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreInfo;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store that is closed")
class StoreClosingTest {

  private final AtomicInteger released = new AtomicInteger();

  private static <S extends AutoCloseable> StoreExecutor<S> executor(String name) {
    return StoreExecutor.start(
        name,
        1,
        StoreExecutor.Bench.single(
            StoreClosingTest::nobody, failure -> DatabaseFailure.closed(), true));
  }

  private static <S> S nobody() {
    throw new IllegalStateException("nobody asks this store");
  }

  /// Executors whose closing fails, as when memory is exhausted.
  private static List<StoreExecutor<StoreWrites>> unclosable() {
    return new AbstractList<>() {
      @Override
      public StoreExecutor<StoreWrites> get(int index) {
        throw new OutOfMemoryError("for closing");
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  @Test
  void givesTheLockBackAndClosesTheOtherLanesAfterAnError() {
    StoreExecutor<StoreWrites> writer = executor("writer");
    var executors =
        new QueuedStore.Executors(
            List.of(writer), unclosable(), unclosable(), executor("lookups"), executor("scans"));
    var store =
        new QueuedStore(
            new StoreInfo("test", "here", 1, true, false), executors, released::incrementAndGet);

    assertThatThrownBy(store::close).isInstanceOf(OutOfMemoryError.class);

    assertThat(released).hasValue(1);
    assertThat(writer.submit(new StoreTask<>("late", writes -> 1, trouble -> -1)))
        .isCompletedWithValue(-1);
  }
}
