/// The files of a directory, indexed: [dev.handoff.context.workspace.WorkspaceView] is what
/// strategies read, as it was at one moment.
@NullMarked
package dev.handoff.context.workspace;

import org.jspecify.annotations.NullMarked;
