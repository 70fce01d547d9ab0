/// Public API of Handoff, a durable, actor-based execution engine. Start with
/// [dev.handoff.Handoff#builder()]. All methods are asynchronous and answer with sealed types; no
/// method exposes an actor.
@NullMarked
package dev.handoff;

import org.jspecify.annotations.NullMarked;
