package dev.handoff;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.io.IOException;
import java.util.stream.Collectors;

/// A payload that is not what the handler of its type takes.
final class PayloadMisfitException extends IOException {

  PayloadMisfitException(JsonMappingException cause) {
    super(words(cause), cause);
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
          "%s does not fit %s: %s"
              .formatted(
                  place(other), other.getTargetType().getSimpleName(), other.getOriginalMessage());
      case JsonMappingException other ->
          "%s cannot be read: %s".formatted(place(other), other.getOriginalMessage());
    };
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
