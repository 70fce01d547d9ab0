/// Writes the outcome of a plan to a directory: all of it or nothing, also when the process is
/// killed in between.
@NullMarked
package dev.handoff.plan.apply;

import org.jspecify.annotations.NullMarked;
