/// How a context is made: the default parts of the pipeline, the stream that they form, and the
/// actors that run it.
///
/// ```
/// Assembler ──▶ Assembly   one for each request, at most a few at once
///    Assemble ──▶ Workspaces.Open ──▶ pipeline ──▶ ContextAnswer
/// ```
@NullMarked
package dev.handoff.context.assembly;

import org.jspecify.annotations.NullMarked;
