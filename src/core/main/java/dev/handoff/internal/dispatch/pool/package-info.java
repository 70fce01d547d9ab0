/// Worker pool of one node: places and idle workers, shared among the dispatchers that want them
/// with credits, and heartbeats that repeat what the pool holds.
@NullMarked
package dev.handoff.internal.dispatch.pool;

import org.jspecify.annotations.NullMarked;
