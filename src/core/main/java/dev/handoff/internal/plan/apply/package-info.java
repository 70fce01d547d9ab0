/// Writing of a plan's outcome to a directory: all or nothing, even if the process is killed
/// meanwhile. Entry point is [dev.handoff.internal.plan.apply.EditableDirectory], which knows no
/// plans.
///
/// New contents and a journal of all steps are first written and synced to a staging directory
/// `.handoff-NAME` inside the target. All further steps are single renames. So the directory itself
/// shows which steps are done, and the steps can be undone in reverse:
///
/// ```
///  .handoff-NAME/
///    journal → commit → undo   planned steps; the file name is the phase, each rename is synced
///    lock                      held by the process that works on the apply
///    n0 n1 …                   new contents, until they are in place
///    o0 o1 …                   originals, until the end
///    d0 d1 …  e0 e1 …          directories to make, directories that became empty
///  .handoff-NAME~done          all changes are in place: only cleanup is left
///  .handoff-NAME~undone        no change is in place: only cleanup is left
///  .handoff-NAME~kept          originals that could not be restored, because another program had
///                              changed their places meanwhile; stays
/// ```
///
/// File access below the root uses directory handles that follow no links
/// ([java.nio.file.SecureDirectoryStream]). Each handle is opened from the root, component by
/// component, right before its use. On systems without handles (Windows, some network file
/// systems), nothing is written.
@NullMarked
package dev.handoff.internal.plan.apply;

import org.jspecify.annotations.NullMarked;
