/// Start and end of an engine: settings, actor system, store, and the engine as its users see it.
@NullMarked
package dev.handoff.internal.facade.start;

import org.jspecify.annotations.NullMarked;
