package dev.handoff.plan.capture;

import java.nio.file.attribute.FileTime;

/// What a file was when it was looked at.
///
/// @param sha256 of what it held
record Stamp(long size, FileTime modified, String sha256) {}
