/// The strategies that Handoff comes with: [dev.handoff.context.strategy.BuiltInStrategies] names
/// them. Each looks at a [dev.handoff.context.workspace.WorkspaceView] in its own way, and gives
/// [fragments][dev.handoff.context.Fragment] with every depth that its files can be shown at.
@NullMarked
package dev.handoff.context.strategy;

import org.jspecify.annotations.NullMarked;
