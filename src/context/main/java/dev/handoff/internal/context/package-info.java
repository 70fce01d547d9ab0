/// Context assembly as a service of the engine; found by [java.util.ServiceLoader].
@NullMarked
package dev.handoff.internal.context;

import org.jspecify.annotations.NullMarked;
