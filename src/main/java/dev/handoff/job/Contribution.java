package dev.handoff.job;

/// What an attempt leaves in its plan besides its result: it is committed with the success, by the
/// same fact, and with nothing else.
///
/// @param body the SHA-256 of what it made, which is in the store before anybody names it
/// @param changes how many changes that has
/// @param decisions how many decisions that has
public record Contribution(String body, int changes, int decisions) {}
