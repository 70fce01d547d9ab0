/// The handlers that a program has without any Java of its own: `noop`, `sleep`, `echo`, `fail` to
/// try things out, `exec` for programs and `http` for requests. The last two reach outside and are
/// off until [dev.handoff.handlers.HandlerSettings] allow them. Start with
/// [dev.handoff.handlers.BuiltInHandlers].
@NullMarked
package dev.handoff.handlers;

import org.jspecify.annotations.NullMarked;
