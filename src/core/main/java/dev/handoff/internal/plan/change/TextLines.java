package dev.handoff.internal.plan.change;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jgit.diff.Sequence;

/// Lines of a content, including line feeds. A last line without line feed differs from the same
/// text with one.
final class TextLines extends Sequence {

  final byte[] content;

  /// Start offsets of all lines, and the content's length.
  private final int[] starts;

  TextLines(byte[] content) {
    this.content = content;
    this.starts = starts(content);
  }

  @Override
  public int size() {
    return starts.length - 1;
  }

  int start(int line) {
    return starts[line];
  }

  int end(int line) {
    return starts[line + 1];
  }

  boolean isEnded(int line) {
    return content[end(line) - 1] == '\n';
  }

  /// Text of a line without its line feed.
  String text(int line) {
    int end = isEnded(line) ? end(line) - 1 : end(line);
    return new String(content, start(line), end - start(line), StandardCharsets.UTF_8);
  }

  boolean isSame(int line, TextLines other, int otherLine) {
    return Arrays.equals(
        content,
        start(line),
        end(line),
        other.content,
        other.start(otherLine),
        other.end(otherLine));
  }

  int hash(int line) {
    long hash = 0;
    for (int i = start(line); i < end(line); i++) {
      hash = (hash ^ content[i]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    return (int) hash;
  }

  private static int[] starts(byte[] content) {
    int feeds = 0;
    for (byte b : content) {
      feeds += b == '\n' ? 1 : 0;
    }
    boolean open = content.length > 0 && content[content.length - 1] != '\n';
    var starts = new int[feeds + (open ? 1 : 0) + 1];
    int line = 0;
    for (int i = 0; i < content.length; i++) {
      if (content[i] == '\n') {
        starts[++line] = i + 1;
      }
    }
    starts[starts.length - 1] = content.length;
    return starts;
  }
}
