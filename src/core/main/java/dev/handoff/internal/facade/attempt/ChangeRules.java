package dev.handoff.internal.facade.attempt;

import dev.handoff.internal.plan.change.ChangePath;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.Change;
import dev.handoff.plan.Content;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validation of changes before any content is stored.
public final class ChangeRules {

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private ChangeRules() {}

  /// Problem of the first invalid change; empty if all changes are valid.
  public static Optional<String> problem(List<Change> changes) {
    return changes.isEmpty()
        ? Optional.of("there is no change to record")
        : changes.stream().flatMap(change -> problem(change).stream()).findFirst();
  }

  private static Optional<String> problem(Change change) {
    return ChangePath.problem(change.path())
        .or(
            () ->
                Stream.of(Optional.ofNullable(change.before()), Optional.ofNullable(change.after()))
                    .flatMap(Optional::stream)
                    .flatMap(content -> problem(change.path(), content).stream())
                    .findFirst())
        .or(() -> unchanged(change.path(), change.before(), change.after()));
  }

  private static Optional<String> problem(String path, Content content) {
    return switch (content) {
      case Content.Bytes bytes when bytes.length() > Content.MOST_BYTES ->
          Optional.of(
              "\"%s\" has %d bytes: a file in a change has at most %d"
                  .formatted(path, bytes.length(), Content.MOST_BYTES));
      case Content.Stored(var sha256) when !SHA256.matcher(sha256).matches() ->
          Optional.of(
              "the content of \"%s\" is named by \"%s\", which is no SHA-256 in lower-case hex"
                  .formatted(path, SafeText.shown(sha256)));
      case Content fine -> Optional.empty();
    };
  }

  private static Optional<String> unchanged(
      String path, @Nullable Content before, @Nullable Content after) {
    return before != null && before.equals(after)
        ? Optional.of("\"%s\" holds the same before and after".formatted(path))
        : Optional.empty();
  }
}
