package dev.handoff;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Rule for retried failures, by class names. Names, because the rule is stored with its job, and
/// the failing code may be another version or run elsewhere.
///
/// A name matches a failure if the failure or one of its causes has a class or superclass of that
/// name.
///
/// @param only if not empty, at least one name must match
/// @param never no name may match
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RetryRule(List<String> only, List<String> never) {

  /// Causes beyond this depth are ignored: the chain of causes may be circular.
  private static final int MOST_CAUSES = 50;

  public RetryRule {
    only = only == null ? List.of() : List.copyOf(only);
    never = never == null ? List.of() : List.copyOf(never);
  }

  /// Retries after these failures only.
  @SafeVarargs
  public static RetryRule only(Class<? extends Throwable>... failures) {
    var names = new ArrayList<String>();
    for (var failure : failures) {
      names.add(failure.getName());
    }
    return new RetryRule(names, List.of());
  }

  /// Retries after all failures except these.
  @SafeVarargs
  public static RetryRule never(Class<? extends Throwable>... failures) {
    var names = new ArrayList<String>();
    for (var failure : failures) {
      names.add(failure.getName());
    }
    return new RetryRule(List.of(), names);
  }

  /// Adds failures that are never retried.
  @SafeVarargs
  public final RetryRule butNever(Class<? extends Throwable>... failures) {
    var names = new ArrayList<>(never);
    for (var failure : failures) {
      names.add(failure.getName());
    }
    return new RetryRule(only, names);
  }

  /// Whether the failure is retried.
  public boolean allows(Throwable failure) {
    var names = names(failure);
    return never.stream().noneMatch(names::contains)
        && (only.isEmpty() || only.stream().anyMatch(names::contains));
  }

  private static Set<String> names(Throwable failure) {
    var names = new HashSet<String>();
    int causes = 0;
    for (Throwable each = failure; each != null && causes++ < MOST_CAUSES; each = each.getCause()) {
      for (Class<?> type = each.getClass(); type != null; type = type.getSuperclass()) {
        names.add(type.getName());
      }
    }
    return names;
  }
}
