/// The public face of Handoff: a durable, actor-based execution engine. Start with
/// [dev.handoff.Handoff#builder()]. Everything here is asynchronous and answers with sealed types;
/// nothing of it shows an actor.
@NullMarked
package dev.handoff;

import org.jspecify.annotations.NullMarked;
