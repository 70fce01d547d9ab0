/// Implementation of the public API for plans, on a running engine and on a store that no engine
/// has open.
@NullMarked
package dev.handoff.internal.facade.plan;

import org.jspecify.annotations.NullMarked;
