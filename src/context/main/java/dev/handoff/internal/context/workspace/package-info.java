/// Indexed files of a directory. Strategies read a [dev.handoff.context.WorkspaceView], an
/// immutable snapshot.
@NullMarked
package dev.handoff.internal.context.workspace;

import org.jspecify.annotations.NullMarked;
