package dev.handoff.plan.change;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// How one file differs.
///
/// @param added lines; 0 for what is no text
/// @param removed lines; 0 for what is no text
/// @param binary whether one of its contents is no text, so that it has no lines
/// @param coarse whether it was too much to be compared line by line: then all lines between the
///   first and the last difference count as replaced
public record FileDiff(
    String path,
    Kind kind,
    @Nullable ContentRef before,
    @Nullable ContentRef after,
    int added,
    int removed,
    boolean binary,
    boolean coarse) {

  /// What happened to the file.
  public enum Kind {
    @JsonProperty("created")
    CREATED,
    @JsonProperty("modified")
    MODIFIED,
    @JsonProperty("deleted")
    DELETED
  }

  static FileDiff ofLines(Difference file, LineDiff lines) {
    int added = lines.blocks().stream().mapToInt(Block::added).sum();
    int removed = lines.blocks().stream().mapToInt(Block::removed).sum();
    return of(file, added, removed, false, lines.coarse());
  }

  static FileDiff ofBinary(Difference file) {
    return of(file, 0, 0, true, false);
  }

  private static FileDiff of(
      Difference file, int added, int removed, boolean binary, boolean coarse) {
    return new FileDiff(
        file.path(), kind(file), file.before(), file.after(), added, removed, binary, coarse);
  }

  private static Kind kind(Difference file) {
    if (file.before() == null) {
      return Kind.CREATED;
    }
    return file.after() == null ? Kind.DELETED : Kind.MODIFIED;
  }
}
