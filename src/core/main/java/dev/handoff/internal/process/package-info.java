/// Child processes and their descendants: exit and termination.
@NullMarked
package dev.handoff.internal.process;

import org.jspecify.annotations.NullMarked;
