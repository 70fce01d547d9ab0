package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.plan.ApplyAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Outcome of an apply or a dry run.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = ApplyOutcome.Written.class, name = "written"),
  @JsonSubTypes.Type(value = ApplyOutcome.Conflicted.class, name = "conflicted"),
  @JsonSubTypes.Type(value = ApplyOutcome.Undone.class, name = "undone"),
  @JsonSubTypes.Type(value = ApplyOutcome.Already.class, name = "already")
})
public sealed interface ApplyOutcome {

  /// Directory holds all changes, or would hold them after a dry run.
  ///
  /// @param target real path of the directory
  /// @param files one entry per changed file
  record Written(String target, List<ApplyAnswer.File> files) implements ApplyOutcome {
    public Written {
      files = List.copyOf(files);
    }
  }

  /// Nothing was written, because of conflicts.
  record Conflicted(String target, List<ApplyAnswer.Problem> problems) implements ApplyOutcome {
    public Conflicted {
      problems = List.copyOf(problems);
    }
  }

  /// Failed apply: no file was written, or all files were restored.
  ///
  /// @param isAsBefore whether the directory is known to be unchanged; false if another process may
  ///   have changed it, or if it cannot be read
  record Undone(String target, String reason, boolean isAsBefore) implements ApplyOutcome {}

  /// No write needed: the directory already holds all changes, or the changes cancel each other
  /// out.
  ///
  /// @param apply earlier apply that wrote the changes; null = no apply of this plan
  record Already(String target, @Nullable WrittenApply apply) implements ApplyOutcome {}
}
