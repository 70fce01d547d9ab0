package dev.handoff.job;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an attempt has to say besides its end: the log lines since the last time, and its newest
/// progress.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Notes(List<String> log, @Nullable Progress progress) {

  public static final Notes NONE = new Notes(List.of(), null);

  public Notes {
    log = log == null ? List.of() : log;
    log =
        log.isEmpty()
            ? List.of()
            : log.stream().map(line -> Text.clean(line, Trail.MAX_LOG_LINE)).toList();
    if (log.size() > Trail.MAX_LOG_LINES) {
      log = log.subList(log.size() - Trail.MAX_LOG_LINES, log.size());
    }
  }

  /// Nothing is stored of [#NONE], so that it is read as null.
  static Notes orNone(@Nullable Notes notes) {
    return notes == null ? NONE : notes;
  }

  /// Leaves notes that say nothing out of what is stored.
  @JacksonAnnotationsInside
  @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Nothing.class)
  @Retention(RetentionPolicy.RUNTIME)
  @interface IfAny {}

  static final class Nothing {
    @Override
    public boolean equals(Object other) {
      return NONE.equals(other);
    }

    @Override
    public int hashCode() {
      return NONE.hashCode();
    }
  }
}
