/// Context for a plan step: the request ([dev.handoff.context.ContextRequest]), the search methods
/// ([dev.handoff.context.Strategy]), their results ([dev.handoff.context.Fragment]) and the context
/// assembled within a token budget ([dev.handoff.context.Assembled]). The library `handoff-context`
/// assembles it.
@NullMarked
package dev.handoff.context;

import org.jspecify.annotations.NullMarked;
