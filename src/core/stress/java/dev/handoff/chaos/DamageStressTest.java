package dev.handoff.chaos;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store whose bytes are not what they were, many times")
class DamageStressTest {

  @TempDir Path directory;

  @Test
  void isRefusedOrHasEverything() {
    DamagedStores.prepare(directory).tryDatabase(1000);
  }

  @Test
  void hasWhatCameBeforeTheDamageWhereItIsInTheLogOfAKilledProcess() {
    DamagedStores.prepare(directory).tryLog(200);
  }
}
