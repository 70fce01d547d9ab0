/// Texts and numbers as users write and read them: JSON, YAML, durations, names, ids.
@NullMarked
package dev.handoff.internal.text;

import org.jspecify.annotations.NullMarked;
