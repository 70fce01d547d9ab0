/// Programs that are started, and all that they start.
@NullMarked
package dev.handoff.process;

import org.jspecify.annotations.NullMarked;
