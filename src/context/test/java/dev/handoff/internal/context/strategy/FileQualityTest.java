package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is to be expected of a file")
class FileQualityTest {

  @ParameterizedTest
  @CsvSource({
    "src/main/java/a/Till.java, 1",
    "lib/till.rb, 1",
    "README.md, 0.9",
    "docs/till.md, 0.9",
    "src/main/java/a/package-info.java, 0.6",
    "src/main/resources/till.conf, 0.6",
    "sbt, 0.6",
    "src/test/java/a/TillTest.java, 0.5",
    "a/till_test.go, 0.5",
    "tests/test_till.py, 0.5",
    "CHANGELOG.md, 0.3",
    ".gitignore, 0.3",
    "data/coins.csv, 0.3",
    "package-lock.json, 0.1",
    "target/classes/Till.java, 0.1",
    "web/app.min.js, 0.1"
  })
  void dependsOnItsPath(String path, double quality) {
    assertThat(FileQuality.of(path)).isEqualTo(quality);
  }
}
