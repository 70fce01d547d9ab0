package dev.handoff.internal.job;

/// Contribution of an attempt to its plan, besides the result. The success fact of the attempt
/// commits it.
///
/// @param body SHA-256 of the stored body, which is in the store before a fact names it
/// @param changes number of changes in the body
/// @param decisions number of decisions in the body
public record StepContribution(String body, int changes, int decisions) {}
