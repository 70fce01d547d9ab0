package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The failures after which a job is tried again, by the names of their classes: a rule is stored
/// with its job, and the code that fails may be another version, or run elsewhere.
///
/// A name fits a failure if it is that of its class or a superclass, or of those of one of its
/// causes.
///
/// @param only if there are any, at least one of them has to fit
/// @param never none of them may fit
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RetryRule(List<String> only, List<String> never) {

  /// Causes beyond are not looked at: there may be a circle of them.
  private static final int MOST_CAUSES = 50;

  public RetryRule {
    only = Trail.copy(only);
    never = Trail.copy(never);
  }

  /// Tries again after these failures, and after no other.
  @SafeVarargs
  public static RetryRule only(Class<? extends Throwable>... failures) {
    var names = new ArrayList<String>();
    for (var failure : failures) {
      names.add(failure.getName());
    }
    return new RetryRule(names, List.of());
  }

  /// Tries again after all but these failures.
  @SafeVarargs
  public static RetryRule never(Class<? extends Throwable>... failures) {
    var names = new ArrayList<String>();
    for (var failure : failures) {
      names.add(failure.getName());
    }
    return new RetryRule(List.of(), names);
  }

  /// The same rule, and never after these failures either.
  @SafeVarargs
  public final RetryRule butNever(Class<? extends Throwable>... failures) {
    var names = new ArrayList<>(never);
    for (var failure : failures) {
      names.add(failure.getName());
    }
    return new RetryRule(only, names);
  }

  /// Whether a failure is tried again.
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
