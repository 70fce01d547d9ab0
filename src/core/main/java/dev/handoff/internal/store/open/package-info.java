/// Opens stores of every kind.
@NullMarked
package dev.handoff.internal.store.open;

import org.jspecify.annotations.NullMarked;
