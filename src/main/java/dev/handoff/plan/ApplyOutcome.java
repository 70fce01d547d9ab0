package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of an apply, or would become of one.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = ApplyOutcome.Written.class, name = "written"),
  @JsonSubTypes.Type(value = ApplyOutcome.Conflicted.class, name = "conflicted"),
  @JsonSubTypes.Type(value = ApplyOutcome.Undone.class, name = "undone"),
  @JsonSubTypes.Type(value = ApplyOutcome.Already.class, name = "already")
})
public sealed interface ApplyOutcome {

  /// Everything is in the directory, or would be.
  ///
  /// @param target its real path
  /// @param files what became of each file, by path
  record Written(String target, List<File> files) implements ApplyOutcome {
    public Written {
      files = List.copyOf(files);
    }
  }

  /// Nothing was written: something is in the way.
  record Conflicted(String target, List<Problem> problems) implements ApplyOutcome {
    public Conflicted {
      problems = List.copyOf(problems);
    }
  }

  /// It did not work. Nothing of it was written, or all of it was taken back.
  ///
  /// @param isAsBefore whether the directory is known to be as it was: somebody else may have
  ///   changed it meanwhile, or it cannot be looked at
  record Undone(String target, String reason, boolean isAsBefore) implements ApplyOutcome {}

  /// The directory holds everything already, or all changes together come to nothing.
  ///
  /// @param apply the apply that has written it; null = it is so without one
  record Already(String target, @Nullable Applied apply) implements ApplyOutcome {}

  /// @param what `created`, `modified` or `deleted`
  record File(String path, String what, long bytes) {}

  /// One thing that is in the way.
  ///
  /// @param found in words
  /// @param ours the SHA-256 of what came first, if two steps disagree; null = no file, or they do
  ///   not
  /// @param steps who disagrees; empty = the file in the directory is not what the plan has changed
  record Problem(
      String path,
      String found,
      @Nullable String ancestor,
      @Nullable String ours,
      @Nullable String theirs,
      List<String> steps) {
    public Problem {
      steps = List.copyOf(steps);
    }
  }
}
