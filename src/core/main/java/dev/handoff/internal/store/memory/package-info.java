/// Store in memory, for tests and for work that may be lost.
@NullMarked
package dev.handoff.internal.store.memory;

import org.jspecify.annotations.NullMarked;
