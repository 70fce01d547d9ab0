/// Services that other modules of Handoff bring to the engine. The engine finds them with
/// [java.util.ServiceLoader], and works without them.
@NullMarked
package dev.handoff.internal.spi;

import org.jspecify.annotations.NullMarked;
