/// Code shared by all actors of an engine: guards against fatal errors, and the memory reserve.
@NullMarked
package dev.handoff.internal.actor;

import org.jspecify.annotations.NullMarked;
