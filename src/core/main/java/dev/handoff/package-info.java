/// Public API of Handoff, a durable, actor-based execution engine. Start with
/// [dev.handoff.Handoff#builder()]. Methods of an engine are asynchronous, unless their names end
/// with `OrThrow`, and answer with sealed types; no method exposes an actor.
@NullMarked
package dev.handoff;

import org.jspecify.annotations.NullMarked;
