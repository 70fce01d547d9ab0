package dev.handoff.handlers;

import dev.handoff.internal.text.SafeText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Last 64 KiB of an output. Immutable: one thread appends, others may read at any time.
///
/// @param chunks retained bytes, oldest first
/// @param kept number of retained bytes
/// @param dropped number of bytes dropped before them
record OutputTail(List<byte[]> chunks, int kept, long dropped) {

  static final OutputTail EMPTY = new OutputTail(List.of(), 0, 0);

  static final int MOST_BYTES = 64 * 1024;

  private static final String CUT = "[only the end of the output is kept]\n";
  private static final int SMALL = 4 * 1024;

  /// Appends bytes, which the caller no longer uses, and drops the oldest chunks beyond the limit.
  OutputTail plus(byte[] bytes) {
    var all = new ArrayList<>(chunks);
    if (!all.isEmpty() && all.getLast().length + bytes.length <= SMALL) {
      all.add(joined(List.of(all.removeLast(), bytes)));
    } else {
      all.add(bytes);
    }
    int now = kept + bytes.length;
    while (now - all.getFirst().length >= MOST_BYTES) {
      now -= all.removeFirst().length;
    }
    return new OutputTail(all, now, dropped + kept + bytes.length - now);
  }

  /// Retained output as storable text; a note at the beginning tells of dropped output.
  String text() {
    var bytes = joined(chunks);
    int from = Math.max(0, bytes.length - MOST_BYTES);
    boolean cut = dropped + from > 0;
    while (cut && from < bytes.length && (bytes[from] & 0xC0) == 0x80) {
      from++;
    }
    var text =
        SafeText.clean(
            new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8),
            Integer.MAX_VALUE);
    var end = JsonBound.end(text);
    return cut || end.length() < text.length() ? CUT + end : text;
  }

  /// Last characters of the text, at most the given number.
  String end(int most) {
    var text = text().strip();
    int from = Math.max(0, text.length() - most);
    boolean inPair = from < text.length() && Character.isLowSurrogate(text.charAt(from));
    return text.substring(inPair ? from + 1 : from);
  }

  private static byte[] joined(List<byte[]> chunks) {
    var all = new ByteArrayOutputStream();
    chunks.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
