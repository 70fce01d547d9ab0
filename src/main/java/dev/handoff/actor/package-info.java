/// The part of an actor that is the same for all actors of an engine.
@NullMarked
package dev.handoff.actor;

import org.jspecify.annotations.NullMarked;
