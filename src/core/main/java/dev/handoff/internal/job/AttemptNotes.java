package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.internal.text.SafeText;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Notes of a running attempt: log lines since the last notes, and the newest progress.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AttemptNotes(List<String> log, @Nullable Progress progress) {

  public static final AttemptNotes NONE = new AttemptNotes(List.of(), null);

  public AttemptNotes {
    log = log == null ? List.of() : log;
    log =
        log.isEmpty()
            ? List.of()
            : log.stream().map(line -> SafeText.clean(line, JobTrail.MAX_LOG_LINE)).toList();
    if (log.size() > JobTrail.MAX_LOG_LINES) {
      log = log.subList(log.size() - JobTrail.MAX_LOG_LINES, log.size());
    }
  }

  /// [#NONE] is not stored; the codec reads null instead.
  static AttemptNotes orNone(@Nullable AttemptNotes notes) {
    return notes == null ? NONE : notes;
  }

  /// Omits empty notes from the stored form.
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
