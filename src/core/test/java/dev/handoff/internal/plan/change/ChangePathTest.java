package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A path in a change")
class ChangePathTest {

  record Refused(String path, String because) {}

  static List<Refused> refused() {
    return List.of(
        new Refused("", "is empty"),
        new Refused("/etc/passwd", "is absolute"),
        new Refused("//host/share", "is absolute"),
        new Refused("..", "\"..\", which leads upwards"),
        new Refused("../a", "which leads upwards"),
        new Refused("../root-evil/a", "which leads upwards"),
        new Refused("a/../../b", "which leads upwards"),
        new Refused("a/..", "which leads upwards"),
        new Refused("a/\u2025/b", "which leads upwards"),
        new Refused("a/\uFF0E\uFF0E/b", "which leads upwards"),
        new Refused(".", "which leads nowhere"),
        new Refused("a/./b", "which leads nowhere"),
        new Refused("a/", "has an empty part"),
        new Refused("a//b", "has an empty part"),
        new Refused("a\\b", "backslash"),
        new Refused("..\\a", "backslash"),
        new Refused("C:\\a", "backslash"),
        new Refused("C:/a", "which is a drive"),
        new Refused("c:a", "which is a drive"),
        new Refused("a/Z:", "which is a drive"),
        new Refused("%2e%2e/a", "encoded"),
        new Refused("a/%2E%2e/b", "encoded"),
        new Refused("..%2fa", "encoded"),
        new Refused("..%5Ca", "encoded"),
        new Refused("%252e%252e/a", "encoded"),
        new Refused("%25252e/a", "encoded"),
        new Refused("a%00.txt", "encoded"),
        new Refused("%c0%ae%c0%ae/a", "encoded"),
        new Refused("%c0%af", "encoded"),
        new Refused("a\0b", "NUL"),
        new Refused("a\uD800", "half of a character"),
        new Refused("\uDC00a", "half of a character"),
        new Refused("a\nb", "\\u000a"),
        new Refused("a\u007fb", "\\u007f"),
        new Refused("a\u0085b", "\\u0085"),
        new Refused("a\u001b[31m", "\\u001b"),
        new Refused("gpj.\u202Eexe", "\\u202e"),
        new Refused("a\u2066b", "\\u2066"),
        new Refused("a\u200Bb", "\\u200b"),
        new Refused("\uFEFFa", "\\ufeff"),
        new Refused("a\u2028b", "\\u2028"),
        new Refused("a\u2029b", "\\u2029"),
        new Refused("a.", "ends in a dot or a space"),
        new Refused("a /b", "ends in a dot or a space"),
        new Refused("...", "ends in a dot or a space"),
        new Refused("a/.. /b", "ends in a dot or a space"),
        new Refused("a\uFF0Fb", "look-alike"),
        new Refused("..\uFF3Ca", "look-alike"),
        new Refused("x".repeat(256), "longer than 255 bytes"),
        new Refused("\u00e4".repeat(128), "longer than 255 bytes"),
        new Refused("a/".repeat(2_048) + "b", "longer than 4096 bytes"),
        new Refused(("\u00e4".repeat(100) + "/").repeat(21), "longer than 4096 bytes"),
        new Refused("con", "device on Windows"),
        new Refused("a/NUL.txt", "device on Windows"),
        new Refused("a/Aux .c", "device on Windows"),
        new Refused("COM1/x", "device on Windows"),
        new Refused("lpt\u00b2", "device on Windows"),
        new Refused("conin$", "device on Windows"),
        new Refused("com1:x", "device on Windows"),
        new Refused(".git/config", "git's own"),
        new Refused("a/.GIT/hooks/pre-commit", "git's own"),
        new Refused(".Git", "git's own"),
        new Refused("GIT~1/config", "git's own"),
        new Refused(".git::$INDEX_ALLOCATION/config", "git's own"),
        new Refused("\u2024git/config", "git's own"),
        new Refused(".g\u200cit/config", "\\u200c"),
        new Refused(".handoff-staged", "files of our own"),
        new Refused("a/.Handoff-1/b", "files of our own"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void thatCouldLeadElsewhereIsRefusedWithTheReason(Refused refused) {
    var problem = ChangePath.problem(refused.path());

    assertThat(problem).isPresent();
    assertThat(problem.get())
        .startsWith("path \"")
        .contains(refused.because())
        .endsWith(
            "; a path is relative to the root, with / between plain names, as in docs/index.html");
    assertThat(problem.get().chars().filter(Character::isISOControl)).isEmpty();
    assertThat(problem.get()).doesNotContain("\u202e", "\u200b", "\uD800");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "docs/index.html",
        "a b/c d.txt",
        "..a",
        "a..b/..c",
        ".gitignore",
        ".github/workflows/ci.yml",
        "git/x",
        "handoff-1",
        "100%25.txt",
        "100%",
        "\u00fcn\u00efc\u00f6d\u00e9/\u65e5\u672c.txt",
        "\uD83D\uDE00",
        "console.log",
        "nullable.c",
        "com/example/Lpt.java",
        "12:30.log",
        "wait\u2026 what",
        "root-evil/a",
        "a/b/c/d/e/f/g"
      })
  void thatIsPlainIsFine(String path) {
    assertThat(ChangePath.problem(path)).isEmpty();
    assertThat(ChangePath.check(path)).isSameAs(path);
  }

  @Test
  void mayBeAsLongAsAFileSystemTakes() {
    assertThat(ChangePath.problem("x".repeat(255))).isEmpty();
    assertThat(ChangePath.problem(("x".repeat(255) + "/").repeat(15) + "y".repeat(255))).isEmpty();
  }

  @Test
  void isCheckedWithAnErrorThatSaysWhy() {
    assertThatThrownBy(() -> ChangePath.check("a/../b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "path \"a/../b\" has the part \"..\", which leads upwards;"
                + " a path is relative to the root, with / between plain names,"
                + " as in docs/index.html");
  }

  @Test
  void collidesWithOneThatDiffersInCaseOrFormAlone() {
    var found =
        ChangePath.collisions(
            List.of("b/Read.me", "caf\u00e9", "b/README", "b/readme", "cafe\u0301", "B/x", "b/y"));

    assertThat(found)
        .extracting(PathCollision::path, PathCollision::other)
        .containsExactly(tuple("b/readme", "b/README"), tuple("caf\u00e9", "cafe\u0301"));
    assertThat(found.getFirst())
        .hasToString("path \"b/readme\" differs in case or Unicode form alone from \"b/README\"");
  }

  @Test
  void collidesWithAFileThatIsADirectoryInIt() {
    var found = ChangePath.collisions(List.of("A/b/c", "a", "a.b/c", "ab"));

    assertThat(found).containsExactly(new PathCollision("A/b/c", "a", "is inside of the file"));
  }

  @Test
  void collidesWithNothingThatHasANameOfItsOwn() {
    assertThat(ChangePath.collisions(List.of("a/b", "a/c", "b/a", "a/b"))).isEmpty();
  }
}
