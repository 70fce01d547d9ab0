package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// JSON document as received, in UTF-8: a payload, a result, a checkpoint. Immutable and shared by
/// reference.
///
/// Within a larger document it is an ordinary subtree, not an encoded string: Jackson 2 and 3 write
/// its content and read it back.
@JsonSerialize(using = JsonEmbedding.Writer.class)
@JsonDeserialize(using = JsonEmbedding.Reader.class)
public final class Json {

  public static final Json NULL = of("null");

  private final byte[] utf8;

  private Json(byte[] utf8) {
    this.utf8 = utf8;
  }

  public static Json of(String text) {
    return new Json(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Wraps the bytes without a copy: the caller gives up ownership.
  public static Json owned(byte[] utf8) {
    return new Json(utf8);
  }

  /// Document of plain values: maps, lists, strings, numbers, booleans, null.
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Json ofValues(@Nullable Object values) {
    return JsonEmbedding.written(values);
  }

  /// Content as plain values. Text that is not JSON becomes one string.
  @JsonValue
  @Nullable Object values() {
    return JsonEmbedding.values(this);
  }

  /// Original bytes, not a copy: read only.
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

  /// Text of the document.
  @Override
  public String toString() {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
