package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Two changes to one file that cannot be merged automatically.
///
/// @param ancestor content before the later change; null = no file
/// @param ours content after the earlier changes; null = deleted
/// @param theirs content after the later change; null = deleted
/// @param oursFrom id of the last changeset of the earlier changes
/// @param theirsFrom id of the later changeset
public record Conflict(
    String path,
    @Nullable ContentRef ancestor,
    @Nullable ContentRef ours,
    @Nullable ContentRef theirs,
    String oursFrom,
    String theirsFrom,
    Why why) {

  /// Cause of a conflict.
  public enum Why {
    /// Both changed the same lines.
    @JsonProperty("same-lines")
    SAME_LINES,
    /// Both created the file.
    @JsonProperty("both-created")
    BOTH_CREATED,
    /// One deleted the file, the other changed it.
    @JsonProperty("deleted-and-changed")
    DELETED_AND_CHANGED,
    /// One created a file, the other a directory, which is represented by the list of its files.
    @JsonProperty("file-and-directory")
    FILE_AND_DIRECTORY,
    /// One of the contents is binary.
    @JsonProperty("not-text")
    NOT_TEXT,
    /// One of the contents exceeds the size limit of a merge.
    @JsonProperty("too-large")
    TOO_LARGE
  }
}
