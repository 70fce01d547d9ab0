/// Changes to files: contents by hash, the hash chain that reveals alterations, diffs, merges and
/// combined changes. Pure, except [dev.handoff.internal.plan.change.ContentReader].
@NullMarked
package dev.handoff.internal.plan.change;

import org.jspecify.annotations.NullMarked;
