/// Writes the outcome of a plan to a directory: all of it or nothing, also when the process is
/// killed in between. [dev.handoff.plan.apply.Directory] is the way in; it knows no plans.
///
/// Whatever is written is first put, synced, into a staging directory `.handoff-NAME` inside the
/// target, together with a journal of every step. From there on there are only renames, one for
/// each step, so that what has been done can be read off the directory at any time, and be undone
/// in reverse:
///
/// ```
/// .handoff-NAME/
///   journal → commit → undo   the steps; its name says how far it is, each rename is synced
///   lock                      held by whoever is at work on it
///   n0 n1 …                   new contents, until they are in place
///   o0 o1 …                   what was in place before, until the end
///   d0 d1 …  e0 e1 …          directories to be made, directories that became empty
/// .handoff-NAME~done          everything is in place: only to be cleared away
/// .handoff-NAME~undone        nothing is in place: only to be cleared away
/// .handoff-NAME~kept          originals that could not be put back, because somebody else had
///                             changed their places meanwhile; stays
/// ```
///
/// All below the root goes through directory handles that follow no links
/// ([java.nio.file.SecureDirectoryStream]); each is opened from the root, part by part, right
/// before it is used. Where there are no handles (Windows, some network file systems), nothing is
/// written.
@NullMarked
package dev.handoff.plan.apply;

import org.jspecify.annotations.NullMarked;
