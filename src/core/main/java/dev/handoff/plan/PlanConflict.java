package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Two changes of one file that cannot be merged automatically, with the file's content on each
/// side. Where one side made a directory and the other a file, the directory appears as a list of
/// its entries; a content chosen as resolution becomes the content of the file.
///
/// @param contents contents by SHA-256
public record PlanConflict(Entry entry, Map<String, byte[]> contents) {

  /// Conflict without contents: the file, the changes on both sides, and the reason.
  ///
  /// @param ancestor content before the later change; null = no file
  /// @param ours content after the earlier changes; null = deleted
  /// @param theirs content after the later change; null = deleted
  /// @param oursFrom id of the last changeset of the earlier changes
  /// @param theirsFrom id of the later changeset
  public record Entry(
      String path,
      @Nullable ContentRef ancestor,
      @Nullable ContentRef ours,
      @Nullable ContentRef theirs,
      String oursFrom,
      String theirsFrom,
      Why why) {}

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

  public PlanConflict {
    contents = Map.copyOf(contents);
  }

  public String path() {
    return entry.path();
  }

  /// Content that the later change started from; empty if the file did not exist.
  public Optional<byte[]> ancestor() {
    return content(entry.ancestor());
  }

  /// Content after the earlier changes; empty if they deleted the file.
  public Optional<byte[]> ours() {
    return content(entry.ours());
  }

  /// Content after the later change; empty if it deleted the file.
  public Optional<byte[]> theirs() {
    return content(entry.theirs());
  }

  private Optional<byte[]> content(@Nullable ContentRef ref) {
    return Optional.ofNullable(ref == null ? null : contents.get(ref.sha256()));
  }
}
