package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import org.jspecify.annotations.Nullable;

/// File with different contents before and after.
///
/// @param before null = no file before
/// @param after null = deleted
public record Difference(String path, @Nullable ContentRef before, @Nullable ContentRef after) {}
