package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import org.jspecify.annotations.Nullable;

/// Change of one file: as a handler records it, as a diff shows it, and as an apply writes it.
///
/// @param path path relative to the root, separated by `/`
/// @param before content before, which an apply expects in the file; null = no file
/// @param after content after; null = deleted
public record FileEdit(String path, @Nullable ContentRef before, @Nullable ContentRef after) {}
