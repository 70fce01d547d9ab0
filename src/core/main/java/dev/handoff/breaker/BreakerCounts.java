package dev.handoff.breaker;

/// Counters of a breaker since its creation. They are exact: every permit is outstanding or counted
/// in exactly one of `successes`, `failures`, `released` and `lost`; the sum is `calls`.
///
/// @param calls granted permits
/// @param slow calls longer than `slow-after`, successful or failed
/// @param rejected refused permit requests
/// @param released calls that were cancelled or never made
/// @param lost permits not reported within `lost-after`
/// @param late reports without effect on the state: of an old generation, or of a permit already
///   reported or given up
/// @param consecutive current run of failures
public record BreakerCounts(
    long calls,
    long successes,
    long failures,
    long slow,
    long rejected,
    long released,
    long lost,
    long late,
    long consecutive) {}
