package dev.handoff.json;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.util.Arrays;

/// JSON names of answers, read from the `@JsonSubTypes` lists of their sealed types.
final class AnswerNames {

  private static final ClassValue<String> NAMES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> answer) {
          return find(answer);
        }
      };

  private AnswerNames() {}

  /// @throws IllegalStateException if no sealed type names the answer
  static String of(Class<?> answer) {
    return NAMES.get(answer);
  }

  private static String find(Class<?> answer) {
    return Arrays.stream(answer.getInterfaces())
        .flatMap(type -> Arrays.stream(type.getAnnotationsByType(JsonSubTypes.class)))
        .flatMap(cases -> Arrays.stream(cases.value()))
        .filter(one -> one.value() == answer)
        .map(JsonSubTypes.Type::name)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(answer.getName() + " has no name"));
  }
}
