/// Built-in handlers, for use without any Java code: `noop`, `sleep`, `echo`, `fail` for
/// experiments, `exec` for programs and `http` for requests. `exec` and `http` reach outside and
/// are off until [dev.handoff.handlers.BuiltInHandlers.Settings] permit them. Start with
/// [dev.handoff.handlers.BuiltInHandlers].
@NullMarked
package dev.handoff.handlers;

import org.jspecify.annotations.NullMarked;
