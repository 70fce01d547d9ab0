package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A JSON document as it came, in UTF-8: a payload, a result, a checkpoint. Immutable, and held
/// once: whoever passes it on passes the reference.
public final class Json {

  public static final Json NULL = of("null");

  private final byte[] utf8;

  private Json(byte[] utf8) {
    this.utf8 = utf8;
  }

  public static Json of(String text) {
    return new Json(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Takes the bytes as they are: the caller gives them away.
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Json owned(byte[] utf8) {
    return new Json(utf8);
  }

  /// The bytes themselves, not a copy: to be read only.
  @JsonValue
  public byte[] utf8() {
    return utf8;
  }

  public int size() {
    return utf8.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Json that && Arrays.equals(utf8, that.utf8);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(utf8);
  }

  @Override
  public String toString() {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
