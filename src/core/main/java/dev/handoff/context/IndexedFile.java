package dev.handoff.context;

import java.time.Instant;

/// A workspace file in its indexed version.
public record IndexedFile(String path, Instant modified, String text, FileOutline outline) {}
