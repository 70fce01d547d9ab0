package dev.handoff.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The memory for the ways out")
class MemoryReserveTest {

  @TempDir Path directory;

  @Test
  void isSetAsideByAStart() {
    MemoryReserve.giveBack();

    Handoff.builder().directory(directory).start().close();

    assertThat(MemoryReserve.isSetAside()).isTrue();
  }

  @Test
  void isGivenBackWhenAnActorFindsTheHeapFull() {
    MemoryReserve.setAside();

    FatalErrorGuard.seen(new OutOfMemoryError("full"));

    assertThat(MemoryReserve.isSetAside()).isFalse();
  }

  @Test
  void isKeptAtEveryOtherError() {
    MemoryReserve.setAside();

    FatalErrorGuard.seen(new StackOverflowError("deep"));
    FatalErrorGuard.seen(new IllegalStateException("a bug"));

    assertThat(MemoryReserve.isSetAside()).isTrue();
  }
}
