package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;
import java.util.List;

/// Selects the outliner of a file by its path.
public final class FileOutliners {

  /// Must be raised when outlines change; then all files are reindexed.
  static final String VERSION = "2";

  private static final FileOutliner PLAIN = new PlainOutliner();
  private static final List<FileOutliner> KINDS =
      List.of(new JavaOutliner(), new MarkdownOutliner());

  private FileOutliners() {}

  /// Outline of any file, in linear time.
  ///
  /// @param path relative to the workspace root, with slashes
  public static WorkspaceView.FileOutline of(String path, String text) {
    for (FileOutliner kind : KINDS) {
      if (kind.takes(path)) {
        return kind.read(path, text);
      }
    }
    return PLAIN.read(path, text);
  }
}
