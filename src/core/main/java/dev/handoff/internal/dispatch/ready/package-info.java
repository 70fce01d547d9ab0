/// Order of a partition's ready jobs: fair between queues, then by priority, due time and id. A
/// queue's pause and limit come in as a [ClaimLimit]. Nothing here knows messages, pools or slots.
@NullMarked
package dev.handoff.internal.dispatch.ready;

import org.jspecify.annotations.NullMarked;
