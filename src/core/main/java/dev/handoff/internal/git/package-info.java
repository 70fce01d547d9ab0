/// Git repositories on disk: their location, and their ignore rules.
@NullMarked
package dev.handoff.internal.git;

import org.jspecify.annotations.NullMarked;
