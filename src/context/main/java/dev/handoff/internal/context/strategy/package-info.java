/// Built-in strategies; [dev.handoff.internal.context.strategy.BuiltInStrategies] lists them. Each
/// searches a [dev.handoff.context.WorkspaceView] and returns
/// [fragments][dev.handoff.context.Fragment] with all available depths.
@NullMarked
package dev.handoff.internal.context.strategy;

import org.jspecify.annotations.NullMarked;
