/// Implementation of the public API: requests of users become messages to actors, and their replies
/// become answers.
@NullMarked
package dev.handoff.internal.facade;

import org.jspecify.annotations.NullMarked;
