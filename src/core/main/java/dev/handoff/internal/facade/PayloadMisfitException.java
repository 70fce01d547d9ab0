package dev.handoff.internal.facade;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Payload that the handler of its type cannot read.
public final class PayloadMisfitException extends IOException {

  PayloadMisfitException(JsonMappingException cause) {
    super(words(cause), cause);
  }

  /// Message for an absent payload that the handler needs.
  static String missing(Class<?> type) {
    return "payload is missing: it must be " + wanted(type);
  }

  private static String words(JsonMappingException misfit) {
    return switch (misfit) {
      case UnrecognizedPropertyException unknown ->
          "%s is not a field here; known: %s"
              .formatted(
                  place(unknown),
                  unknown.getKnownPropertyIds().stream()
                      .map(String::valueOf)
                      .sorted()
                      .collect(Collectors.joining(", ")));
      case MismatchedInputException other when other.getTargetType() != null ->
          "%s does not fit: it must be %s".formatted(place(other), wanted(other.getTargetType()));
      case JsonMappingException other ->
          "%s cannot be read: %s".formatted(place(other), other.getOriginalMessage());
    };
  }

  /// Expected value in JSON terms, because Java classes mean nothing to the author of the JSON.
  private static String wanted(Class<?> type) {
    if (type.isPrimitive() ? type != boolean.class : Number.class.isAssignableFrom(type)) {
      boolean isWhole =
          Set.of(int.class, long.class, short.class, byte.class).contains(type)
              || Set.of(Integer.class, Long.class, Short.class, Byte.class, BigInteger.class)
                  .contains(type);
      return isWhole ? "a whole number" : "a number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type.isEnum()) {
      return "one of " + Arrays.toString(type.getEnumConstants());
    }
    return CharSequence.class.isAssignableFrom(type)
        ? "text"
        : Map.class.isAssignableFrom(type) || type.isRecord()
            ? "an object"
            : "what " + type.getSimpleName() + " is read from";
  }

  /// Path of the wrong value in the payload: `payload.argv[2]`.
  private static String place(JsonMappingException misfit) {
    return misfit.getPath().stream()
        .map(
            step ->
                step.getFieldName() == null
                    ? "[%d]".formatted(step.getIndex())
                    : "." + step.getFieldName())
        .collect(Collectors.joining("", "payload", ""));
  }
}
