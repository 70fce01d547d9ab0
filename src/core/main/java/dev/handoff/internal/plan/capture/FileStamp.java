package dev.handoff.internal.plan.capture;

import java.nio.file.attribute.FileTime;

/// State of a file at one scan.
///
/// @param sha256 hash of its content
record FileStamp(long size, FileTime modified, String sha256) {}
