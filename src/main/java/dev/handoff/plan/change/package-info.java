/// Changes to files as a plan keeps them: their contents by hash, the chain that makes an
/// alteration show, differences, merges and what they come to all together. Pure, but for
/// [dev.handoff.plan.change.Contents].
@NullMarked
package dev.handoff.plan.change;

import org.jspecify.annotations.NullMarked;
