package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;

/// Reads the outline of one kind of file. Accepts any text: invalid content gives a plain outline,
/// never an exception.
public interface FileOutliner {

  boolean takes(String path);

  WorkspaceView.FileOutline read(String path, String text);
}
