package dev.handoff.plan.change;

import org.jspecify.annotations.Nullable;

/// A file that holds something else than before.
///
/// @param before null = there was none
/// @param after null = it is gone
public record Difference(String path, @Nullable ContentRef before, @Nullable ContentRef after) {}
