package dev.handoff.chaos;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store whose bytes are not what they were")
class DamagedStoresTest {

  private static final int SEEDS = 20;

  @TempDir Path directory;

  @Test
  void isRefusedOrHasEverything() {
    DamagedStores.prepare(directory).tryDatabase(SEEDS);
  }

  @Test
  void hasWhatCameBeforeTheDamageWhereItIsInTheLogOfAKilledProcess() {
    DamagedStores.prepare(directory).tryLog(SEEDS);
  }
}
