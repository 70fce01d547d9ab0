package dev.handoff.handlers;

import dev.handoff.job.Text;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The last 64 KiB of an output, as an immutable value: one thread adds to it, others may look at
/// any time.
///
/// @param chunks what is kept, oldest first
/// @param kept how many bytes that is
/// @param dropped how many came before
record Tail(List<byte[]> chunks, int kept, long dropped) {

  static final Tail EMPTY = new Tail(List.of(), 0, 0);

  static final int MOST_BYTES = 64 * 1024;

  private static final String CUT = "[only the end of the output is kept]\n";
  private static final int SMALL = 4 * 1024;

  /// Adds bytes, which the caller gives away, and lets go of what is too old.
  Tail plus(byte[] bytes) {
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
    return new Tail(all, now, dropped + kept + bytes.length - now);
  }

  /// What is kept, as text that can be stored; begins with a note if something is missing.
  String text() {
    var bytes = joined(chunks);
    int from = Math.max(0, bytes.length - MOST_BYTES);
    boolean cut = dropped + from > 0;
    while (cut && from < bytes.length && (bytes[from] & 0xC0) == 0x80) {
      from++;
    }
    var text =
        Text.clean(
            new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8),
            Integer.MAX_VALUE);
    var end = JsonBound.end(text);
    return cut || end.length() < text.length() ? CUT + end : text;
  }

  /// At most so many characters of the end, in one piece.
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
