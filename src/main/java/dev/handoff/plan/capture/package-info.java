/// Working copies: a directory of its own for an attempt, and what is different in it when the
/// attempt ends.
@NullMarked
package dev.handoff.plan.capture;

import org.jspecify.annotations.NullMarked;
