package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A screen")
class ScreenTest {

  private static final String CLEAR = "\r\u001b[K";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void writesLinesAboveTheLastOne() {
    var screen = screen(40);

    screen.say("first");
    screen.status("50 %");
    screen.say("second");
    screen.status("50 %");
    screen.status("60 %");
    screen.clear();
    screen.clear();

    assertThat(written())
        .isEqualTo("first\n" + CLEAR + "50 %" + CLEAR + "second\n50 %" + CLEAR + "60 %" + CLEAR);
  }

  @Test
  void writesOverItsLastLinesWithoutClearingThemFirst() {
    var screen = screen(40);

    screen.status(List.of("a", "b", "c"));
    screen.status(List.of("d", "e"));
    screen.say("said");
    screen.clear();

    assertThat(written())
        .isEqualTo(
            CLEAR
                + "a\nb\nc"
                + "\r\u001b[2Ad\u001b[K\ne\u001b[J"
                + "\r\u001b[1Asaid\u001b[K\nd\u001b[K\ne\u001b[J"
                + "\r\u001b[1A\u001b[J");
  }

  @Test
  void drawsNothingWhereThereIsNoTerminal() {
    var screen = screen(0);

    screen.status("50 %");
    screen.say("line");
    screen.clear();

    assertThat(screen.isTerminal()).isFalse();
    assertThat(written()).isEqualTo("line\n");
    assertThat(screen.styled(Screen.Style.RED, "x")).isEqualTo("x");
  }

  @Test
  void isNeverNarrowerThanALineNeeds() {
    assertThat(screen(5).width()).isEqualTo(20);
    assertThat(screen(100).width()).isEqualTo(99);
  }

  @Test
  void hasABarThatFitsIt() {
    assertThat(ProgressBar.draw(5, 10, 60, " half")).hasSize(40 + 2 + 5).endsWith("] half");
    assertThat(ProgressBar.draw(5, 10, 20, " half")).hasSize(20);
    assertThat(ProgressBar.draw(0, 0, 20, " none")).doesNotContain("·");
    assertThat(ProgressBar.draw(12, 10, 20, " more")).hasSize(20);
    assertThat(ProgressBar.draw(5, 10, 8, " 50 %  5/10")).isEqualTo("50 %  5/");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "0 | 0 | 10 | PT5S | - | '   0 %  0/10'",
        "5 | 0 | 10 | PT0.5S | - | '  50 %  5/10'",
        "5 | 0 | 10 | PT5S | 1 failed | '  50 %  5/10  1.0/s  5.0s left  1 failed'",
        "5 | 4 | 10 | PT5S | - | '  50 %  5/10  0.2/s  25.0s left'",
        "5 | 5 | 10 | PT5S | - | '  50 %  5/10'",
        "10 | 0 | 10 | PT5S | - | ' 100 %  10/10  2.0/s'",
        "50000 | 0 | 1000000 | PT10S | - | '   5 %  50,000/1,000,000  5,000/s  3m10s left'",
        "0 | 0 | 0 | PT0S | - | ' 100 %  0/0'"
      })
  void saysHowFarAndHowFast(
      long done, long before, long total, Duration since, String note, String words) {
    assertThat(ProgressBar.pace(done, before, total, since, note == null ? "" : note))
        .isEqualTo(words);
  }

  @Test
  void alignsTables() {
    var table = new TextTable(List.of("NAME", "N"));
    table.row(TextTable.cell("a longer one", Screen.Style.GREEN), TextTable.cell("1"));
    table.row(TextTable.cell("b"), TextTable.cell(""));

    assertThat(table.draw(screen(0))).isEqualTo("NAME          N\na longer one  1\nb\n");
    assertThat(table.draw(screen(80))).contains("\u001b[32ma longer one\u001b[0m  1\n");
  }

  @Test
  void showsOnlyTheColumnsThatFit() {
    var table = new TextTable(List.of("NAME", "NUMBER", "REST"));
    table.row(TextTable.cell("a".repeat(30)), TextTable.cell("1"), TextTable.cell("b".repeat(30)));

    assertThat(table.draw(screen(50))).contains("NUMBER").doesNotContain("REST", "bbb");
    assertThat(table.draw(screen(20))).contains("aaa").doesNotContain("NUMBER");
    assertThat(table.draw(screen(0))).contains("REST", "bbb");
  }

  @Test
  void showsTextAsItIsButForWhatATerminalWouldObey() {
    assertThat(TerminalText.line("Grüße, 世界 😀")).isEqualTo("Grüße, 世界 😀");
    assertThat(TerminalText.line("a\u001b[2J\r\nb\t\u0007"))
        .isEqualTo("a\\u001b[2J\\u000d\\u000ab\\u0009\\u0007");
    assertThat(TerminalText.line("\u009b31m\u202Eabc\u2028\uFEFF"))
        .isEqualTo("\\u009b31m\\u202eabc\\u2028\\ufeff");
    assertThat(TerminalText.line("\ud800x")).isEqualTo("\\ud800x");
    assertThat(TerminalText.line("\udb40\udc01")).isEqualTo("\\udb40\\udc01");
    assertThat(TerminalText.lines("a\n\tb\u001b")).isEqualTo("a\n\tb\\u001b");
    assertThat(TerminalText.brief("\nfirst line\nsecond", 80)).isEqualTo("first line");
    assertThat(TerminalText.brief("0123456789", 5)).isEqualTo("0123…");
    assertThat(TerminalText.brief("", 5)).isEmpty();
    assertThat(TerminalText.brief("\uD83D\uDE00".repeat(5), 5)).isEqualTo("\uD83D\uDE00".repeat(5));
    assertThat(TerminalText.brief("\uD83D\uDE00".repeat(6), 5))
        .isEqualTo("\uD83D\uDE00".repeat(4) + "…");
  }

  private Screen screen(int width) {
    return new Screen(
        new PrintStream(written, true, StandardCharsets.UTF_8), CliHarness.size(width));
  }

  private String written() {
    return written.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
  }
}
