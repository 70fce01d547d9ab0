/// Assembly of contexts: the default pipeline parts, the stream that runs them, and its actors.
///
/// ```
/// Assembler ──▶ Assembly   one per request, limited in number
///    Assemble ──▶ Workspaces.Open ──▶ pipeline ──▶ ContextAnswer
/// ```
@NullMarked
package dev.handoff.internal.context.assembly;

import org.jspecify.annotations.NullMarked;
