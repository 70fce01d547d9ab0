/// Working copies: a private directory per attempt, and the list of its changes when the attempt
/// ends.
@NullMarked
package dev.handoff.internal.plan.capture;

import org.jspecify.annotations.NullMarked;
