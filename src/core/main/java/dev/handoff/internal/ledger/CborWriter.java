package dev.handoff.internal.ledger;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Fast CBOR writer whose bytes equal those of Jackson. Supports ordinary content only: short ASCII
/// text, non-negative numbers, bytes. Any other content spoils the whole output, and Jackson
/// encodes the value instead.
///
/// Jackson takes 250 ns and a dozen objects for a fact, and a job writes five.
public final class CborWriter {

  private static final int NUMBER = 0x00;
  private static final int BYTES = 0x40;
  private static final int TEXT = 0x60;
  private static final int LIST = 0x80;
  private static final byte OPEN_ARRAY = (byte) 0x9F;
  private static final byte OPEN_MAP = (byte) 0xBF;
  private static final byte END = (byte) 0xFF;
  private static final int LONGEST_TEXT = 255;

  private byte[] bytes;
  private int size;
  private boolean spoiled;

  /// @param room expected size in bytes
  public CborWriter(int room) {
    bytes = new byte[room];
  }

  /// Field or type name, encoded once.
  public record Name(byte[] bytes) {
    public static Name of(String name) {
      var out = new CborWriter(16);
      out.text(name);
      return new Name(Arrays.copyOf(out.bytes, out.size));
    }
  }

  /// Begins a value, preceded by its type name.
  public CborWriter typed(Name type) {
    return one(OPEN_ARRAY).name(type).map();
  }

  /// Ends a value of [#typed].
  public CborWriter endTyped() {
    return end().one(END);
  }

  public CborWriter map() {
    return one(OPEN_MAP);
  }

  public CborWriter end() {
    return one(END);
  }

  /// Begins a list of known length, without an end marker.
  public CborWriter list(int length) {
    return head(LIST, length);
  }

  public CborWriter name(Name name) {
    return raw(name.bytes(), name.bytes().length);
  }

  public CborWriter field(Name name, long number) {
    return name(name).number(number);
  }

  public CborWriter field(Name name, String text) {
    return name(name).text(text);
  }

  public CborWriter field(Name name, byte[] value) {
    name(name).head(BYTES, value.length);
    return raw(value, value.length);
  }

  /// Spoils the output, because of unsupported content.
  public CborWriter spoil() {
    spoiled = true;
    return this;
  }

  /// Bytes written; null if spoiled.
  public byte @Nullable [] finished() {
    return spoiled ? null : Arrays.copyOf(bytes, size);
  }

  private CborWriter number(long number) {
    return number < 0 ? spoil() : head(NUMBER, number);
  }

  private CborWriter text(String text) {
    int length = text.length();
    if (length > LONGEST_TEXT) {
      return spoil();
    }
    head(TEXT, length);
    room(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      spoiled |= c > 0x7F;
      bytes[size++] = (byte) c;
    }
    return this;
  }

  /// Writes a CBOR head: major type and number in the shortest form.
  private CborWriter head(int kind, long number) {
    room(9);
    if (number < 24) {
      bytes[size++] = (byte) (kind + number);
    } else if (number < 1L << 8) {
      bytes[size++] = (byte) (kind + 24);
      bytes[size++] = (byte) number;
    } else if (number < 1L << 16) {
      bytes[size++] = (byte) (kind + 25);
      tail(number, 2);
    } else if (number < 1L << 32) {
      bytes[size++] = (byte) (kind + 26);
      tail(number, 4);
    } else {
      bytes[size++] = (byte) (kind + 27);
      tail(number, 8);
    }
    return this;
  }

  private void tail(long number, int length) {
    for (int i = length - 1; i >= 0; i--) {
      bytes[size++] = (byte) (number >>> (8 * i));
    }
  }

  private CborWriter one(byte value) {
    room(1);
    bytes[size++] = value;
    return this;
  }

  private CborWriter raw(byte[] value, int length) {
    room(length);
    System.arraycopy(value, 0, bytes, size, length);
    size += length;
    return this;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
