package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.handoff.cancel.CancellationSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A file that is read")
class FileReadsTest {

  private static final long MOST = 20_000;

  @TempDir Path temporary;
  private Path root;

  @BeforeEach
  void findRoot() {
    root = IndexViews.real(temporary);
  }

  private FileReads read(byte[] bytes) throws IOException {
    return FileReads.read(Files.write(root.resolve("file"), bytes), MOST);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static FileReads skipped(SkipReason why) {
    return new FileReads.Skipped(why);
  }

  @Test
  void isItsTextAndTheHashOfItsBytes() throws IOException {
    var one = (FileReads.Text) read(utf8("grün\n"));
    var same = (FileReads.Text) read(utf8("grün\n"));
    var marked = (FileReads.Text) read(utf8("\uFEFFgrün\n"));

    assertThat(one.text()).isEqualTo("grün\n");
    assertThat(one.bytes()).isEqualTo(6);
    assertThat(same).isEqualTo(one);
    assertThat(marked.text()).isEqualTo("grün\n");
    assertThat(marked.hash()).isNotEqualTo(one.hash());
    assertThat(read(new byte[0])).isInstanceOf(FileReads.Text.class);
  }

  @Test
  void isNoTextWithANulNearItsBeginningOrWithBytesThatAreNoUtf8() throws IOException {
    assertThat(read(utf8("a\0b"))).isEqualTo(skipped(SkipReason.BINARY));
    assertThat(read(utf8("x".repeat(8191) + "\0"))).isEqualTo(skipped(SkipReason.BINARY));
    assertThat(read(utf8("x".repeat(8192) + "\0"))).isInstanceOf(FileReads.Text.class);
    assertThat(read(new byte[] {'a', (byte) 0xff})).isEqualTo(skipped(SkipReason.BINARY));
    assertThat(read(new byte[] {'a', (byte) 0xc3})).isEqualTo(skipped(SkipReason.BINARY));
    assertThat(read("a".getBytes(StandardCharsets.UTF_16))).isEqualTo(skipped(SkipReason.BINARY));
  }

  @Test
  void isSkippedWhenItHasGrownOrGone() throws IOException {
    assertThat(read(new byte[(int) MOST + 1])).isEqualTo(skipped(SkipReason.LARGE));
    assertThat(FileReads.read(root.resolve("gone"), MOST))
        .isEqualTo(skipped(SkipReason.UNREADABLE));
    assertThat(FileReads.read(root, MOST)).isEqualTo(skipped(SkipReason.UNREADABLE));
  }

  @Test
  void isSkippedWhenItsDiskFails() {
    var memory = Path.of("/proc/" + ProcessHandle.current().pid() + "/mem");
    assumeTrue(Files.exists(memory), "no /proc");

    assertThat(FileReads.read(memory, MOST)).isEqualTo(skipped(SkipReason.UNREADABLE));
  }

  @Test
  void isNotReadThroughALinkThatCameAfterTheScan() throws IOException {
    var outside = IndexViews.write(root, "outside/a.txt", "secret").getParent();
    var inside = IndexViews.write(root, "inside/sub/a.txt", "text").getParent();
    var seen = scanned(root.resolve("inside"));
    Files.delete(seen);
    Files.delete(inside);
    Files.createSymbolicLink(inside, outside);

    assertThat(FileReads.read(seen, MOST)).isEqualTo(skipped(SkipReason.LINK));
    assertThat(Files.readString(seen)).as("without the check").isEqualTo("secret");
  }

  @Test
  void isNotReadWhenItHasBecomeALinkItself() throws IOException {
    var outside = IndexViews.write(root, "outside/a.txt", "secret");
    IndexViews.write(root, "inside/a.txt", "text");
    var seen = scanned(root.resolve("inside"));
    Files.delete(seen);
    Files.createSymbolicLink(seen, outside);

    assertThat(FileReads.read(seen, MOST)).isEqualTo(skipped(SkipReason.LINK));
    assertThat(Files.readString(seen)).as("without the check").isEqualTo("secret");
  }

  private static Path scanned(Path directory) throws IOException {
    var limits = IndexViews.settings("").limits();
    var token = new CancellationSource().token();
    var files = new DirectoryScan(directory, Set.of(), limits, new SkipNotes(), token).files();
    return files.values().iterator().next().path();
  }
}
