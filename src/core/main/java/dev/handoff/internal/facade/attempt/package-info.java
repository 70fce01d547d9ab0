/// View of an attempt for its handler: context, children, changes and working copies.
@NullMarked
package dev.handoff.internal.facade.attempt;

import org.jspecify.annotations.NullMarked;
