/// Context for a step: what is asked for ([dev.handoff.context.ContextRequest]), who looks for it
/// ([dev.handoff.context.Strategy]), what was found ([dev.handoff.context.Fragment]) and what was
/// made of it within a budget of tokens ([dev.handoff.context.Assembled]).
@NullMarked
package dev.handoff.context;

import org.jspecify.annotations.NullMarked;
