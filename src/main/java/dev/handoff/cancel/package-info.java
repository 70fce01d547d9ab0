/// The signal that asks running code to stop: [dev.handoff.cancel.CancellationToken], its
/// [dev.handoff.cancel.CancellationSource] and the [dev.handoff.cancel.Cancellation] it carries.
/// There is no reset: a new attempt has a new token, and the old one stays cancelled for ever.
@NullMarked
package dev.handoff.cancel;

import org.jspecify.annotations.NullMarked;
