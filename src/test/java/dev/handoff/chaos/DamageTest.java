package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Seeds;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store whose bytes are not what they were")
class DamageTest {

  @TempDir Path directory;

  @Test
  void isRefusedOrHasEverything() {
    var damage = Damage.prepare(directory);
    var refused = new AtomicInteger();

    Seeds.each(
        Integer.getInteger("seeds", 20),
        random -> {
          switch (damage.ofDatabase(random)) {
            case Damage.Found.Refused(var reason) -> {
              assertThat(reason).contains(directory.toString());
              refused.incrementAndGet();
            }
            case Damage.Found.Everything unused -> {}
            case Damage.Found.Less less -> System.out.println("LESS " + less);
          }
        });

    assertThat(refused.get()).isGreaterThan(5);
  }

  /// SQLite takes a log only as far as its checksums hold: that is how it tells a commit from one
  /// that a crash has interrupted. What comes after is lost, and nothing can tell that it was there.
  @Test
  void hasWhatCameBeforeTheDamageWhereItIsInTheLogOfAKilledProcess() {
    var damage = Damage.prepare(directory);
    assertThat(damage.ofNothing()).isEqualTo(new Damage.Found.Everything());

    Seeds.each(
        Integer.getInteger("seeds", 20),
        random -> System.out.println("LOG " + damage.ofLog(random)));
  }
}
