package dev.handoff.context.workspace;

import java.util.List;

/// Every kind of file has its outline.
public final class Outliners {

  /// Raised when what an outline says of a file changes: then all files are indexed again.
  static final String VERSION = "2";

  private static final Outliner PLAIN = new PlainOutliner();
  private static final List<Outliner> KINDS = List.of(new JavaOutliner(), new MarkdownOutliner());

  private Outliners() {}

  /// The outline of a file, whatever it holds. In linear time.
  ///
  /// @param path from the root of its workspace, with slashes
  public static Outline of(String path, String text) {
    for (Outliner kind : KINDS) {
      if (kind.takes(path)) {
        return kind.read(path, text);
      }
    }
    return PLAIN.read(path, text);
  }
}
