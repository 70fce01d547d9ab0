package dev.handoff;

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

/// A payload that is not what the handler of its type takes.
final class PayloadMisfitException extends IOException {

  PayloadMisfitException(JsonMappingException cause) {
    super(words(cause), cause);
  }

  /// A payload that is not there, where its handler needs one.
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

  /// What would fit, in the words of JSON: classes are nothing to whoever writes it.
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

  /// Where in the payload it is: `payload.argv[2]`.
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
