package dev.handoff.ledger;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes CBOR byte for byte as Jackson does, but only what is ordinary: short ASCII text, numbers
/// that are not negative, bytes. Whatever else comes spoils the whole, which is then left to
/// Jackson.
///
/// Jackson takes 250 ns and a dozen objects for a fact, and a job has five things to write.
public final class Cbor {

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

  /// @param room about how many bytes it will take
  public Cbor(int room) {
    bytes = new byte[room];
  }

  /// The name of a field or a type, encoded once.
  public record Name(byte[] bytes) {
    public static Name of(String name) {
      var out = new Cbor(16);
      out.text(name);
      return new Name(Arrays.copyOf(out.bytes, out.size));
    }
  }

  /// Begins a value with the name of its type before it.
  public Cbor typed(Name type) {
    return one(OPEN_ARRAY).name(type).map();
  }

  /// Ends what [#typed] began.
  public Cbor endTyped() {
    return end().one(END);
  }

  public Cbor map() {
    return one(OPEN_MAP);
  }

  public Cbor end() {
    return one(END);
  }

  /// Begins a list of so many values, which needs no end.
  public Cbor list(int length) {
    return head(LIST, length);
  }

  public Cbor name(Name name) {
    return raw(name.bytes(), name.bytes().length);
  }

  public Cbor field(Name name, long number) {
    return name(name).number(number);
  }

  public Cbor field(Name name, String text) {
    return name(name).text(text);
  }

  public Cbor field(Name name, byte[] value) {
    name(name).head(BYTES, value.length);
    return raw(value, value.length);
  }

  /// Something is here that this does not know how to write.
  public Cbor spoil() {
    spoiled = true;
    return this;
  }

  /// What was written; null if it was spoiled.
  public byte @Nullable [] finished() {
    return spoiled ? null : Arrays.copyOf(bytes, size);
  }

  private Cbor number(long number) {
    return number < 0 ? spoil() : head(NUMBER, number);
  }

  private Cbor text(String text) {
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

  /// The kind of what follows and a number, in as few bytes as it takes.
  private Cbor head(int kind, long number) {
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

  private Cbor one(byte value) {
    room(1);
    bytes[size++] = value;
    return this;
  }

  private Cbor raw(byte[] value, int length) {
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
