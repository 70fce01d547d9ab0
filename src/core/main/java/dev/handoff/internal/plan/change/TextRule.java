package dev.handoff.internal.plan.change;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/// Definition of text: valid UTF-8 without NUL near its start. Only text is compared and merged by
/// lines.
final class TextRule {

  private static final int LOOKED_AT = 8_000;
  private static final int AT_ONCE = 4_096;

  private TextRule() {}

  static boolean isText(byte[] content) {
    for (int i = 0; i < Math.min(content.length, LOOKED_AT); i++) {
      if (content[i] == 0) {
        return false;
      }
    }
    return isUtf8(content);
  }

  private static boolean isUtf8(byte[] content) {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var in = ByteBuffer.wrap(content);
    var out = CharBuffer.allocate(AT_ONCE);
    while (true) {
      var result = decoder.decode(in, out, true);
      if (result.isError()) {
        return false;
      }
      if (result.isUnderflow()) {
        return true;
      }
      out.clear();
    }
  }
}
