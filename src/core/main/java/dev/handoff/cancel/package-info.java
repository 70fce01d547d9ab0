/// Cancel signal for running code: [dev.handoff.cancel.CancellationToken], its
/// [dev.handoff.cancel.CancellationSource] and the [dev.handoff.cancel.Cancellation] as reason.
/// Tokens have no reset: a new attempt has a new token, and the old token stays cancelled for ever.
@NullMarked
package dev.handoff.cancel;

import org.jspecify.annotations.NullMarked;
