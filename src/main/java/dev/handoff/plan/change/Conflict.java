package dev.handoff.plan.change;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Two changes to one file that nobody but its owner can put together.
///
/// @param ancestor what the later one found; null = no file
/// @param ours what the ones before it had made of the file; null = they had deleted it
/// @param theirs what the later one made of it; null = it deleted it
/// @param oursFrom the id of the last changeset that ours comes from
/// @param theirsFrom the id of the changeset that theirs comes from
public record Conflict(
    String path,
    @Nullable ContentRef ancestor,
    @Nullable ContentRef ours,
    @Nullable ContentRef theirs,
    String oursFrom,
    String theirsFrom,
    Why why) {

  /// Why they cannot be merged.
  public enum Why {
    /// They changed the same lines.
    @JsonProperty("same-lines")
    SAME_LINES,
    /// Both created the file.
    @JsonProperty("both-created")
    BOTH_CREATED,
    /// One deleted what the other changed.
    @JsonProperty("deleted-and-changed")
    DELETED_AND_CHANGED,
    /// One made a file, the other a directory with files in it, which is shown as a list of them.
    @JsonProperty("file-and-directory")
    FILE_AND_DIRECTORY,
    /// One of the contents is no text.
    @JsonProperty("not-text")
    NOT_TEXT,
    /// One of the contents is larger than what is merged.
    @JsonProperty("too-large")
    TOO_LARGE
  }
}
