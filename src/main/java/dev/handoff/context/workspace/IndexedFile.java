package dev.handoff.context.workspace;

import java.time.Instant;

/// A file of a workspace, as it was indexed.
public record IndexedFile(String path, Instant modified, String text, Outline outline) {}
