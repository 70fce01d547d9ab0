package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The key of a line")
class LineKeysTest {

  @Test
  void isMadeFromItsContentAndItsPlaceAmongEqualLines() {
    var keys = new LineKeys("");

    var first = key(keys, "{\"a\":1}");
    var other = key(keys, "{\"a\":2}");
    var second = key(keys, "{\"a\":1}");

    assertThat(first).matches("line:[0-9a-f]{32}:1");
    assertThat(other).matches("line:[0-9a-f]{32}:1").isNotEqualTo(first);
    assertThat(second).isEqualTo(first.replaceFirst(":1$", ":2"));
    assertThat(key(new LineKeys(""), "{ \"a\": 1 }")).isEqualTo(first);
    assertThat(key(new LineKeys("monday"), "{\"a\":1}")).isEqualTo(first + "@monday");
  }

  /// Jobs of earlier runs have these keys: another form would run all lines again.
  @Test
  void staysWhatItIsFromVersionToVersion() {
    assertThat(key(new LineKeys(""), "{\"type\":\"noop\"}"))
        .isEqualTo("line:709a7cd4db2e4ca8e8be75760ae48ba3:1");
    assertThat(
            key(
                new LineKeys("monday"),
                "{\"type\":\"echo\",\"payload\":{\"b\":[1.50,1e3,null,\"\u00e4\"],\"a\":{}}}"))
        .isEqualTo("line:0d2c43532f2aa9dc952f1526ebd74d53:1@monday");
  }

  @Test
  void tellsNumbersApartThatAreWrittenInAnotherWay() {
    assertThat(key(new LineKeys(""), "{\"a\":1}"))
        .isNotEqualTo(key(new LineKeys(""), "{\"a\":1.0}"));
    assertThat(key(new LineKeys(""), "{\"a\":1}"))
        .isNotEqualTo(key(new LineKeys(""), "{\"a\":\"1\"}"));
  }

  @Test
  void canBeMadeForWhatIsNestedAsDeeplyAsItMayBe() {
    var deep = "{\"a\":" + "[".repeat(990) + "]".repeat(990) + "}";

    assertThat(key(new LineKeys(""), deep)).startsWith("line:");
  }

  @Test
  void tellsWhichRunItBelongsToIfItsLineIsInTheFile() {
    var keys = new LineKeys("");
    key(keys, "{\"a\":1}");

    assertThat(keys.runOf(key(new LineKeys(""), "{\"a\":1}"))).contains("");
    assertThat(keys.runOf(key(new LineKeys("monday"), "{\"a\":1}"))).contains("monday");
    assertThat(keys.runOf(key(new LineKeys(""), "{\"a\":2}"))).isEmpty();
    assertThat(keys.runOf("k")).isEmpty();
  }

  @Test
  void countsAsAMapDoes() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var counts = new LineCounts();
    var model = new HashMap<Long, Integer>();

    for (int i = 0; i < 100_000; i++) {
      // Some hashes collide in their lowest bits, and 0 is an ordinary hash.
      long hash = (long) random.nextInt(20_000) << (random.nextBoolean() ? 0 : 32);

      assertThat(counts.add(hash))
          .as("seed %d, hash %d", seed, hash)
          .isEqualTo(model.merge(hash, 1, Integer::sum) - 1);
    }
  }

  private static String key(LineKeys keys, String line) {
    return keys.next(line.getBytes(StandardCharsets.UTF_8));
  }
}
