package dev.handoff;

import java.util.OptionalInt;

/// Load and settings of a queue, over the whole engine.
///
/// @param queued number of jobs that are ready to run
/// @param scheduled number of jobs that wait for their time
/// @param running number of jobs that are claimed, running or being stopped
/// @param maxRunning limit of running jobs; empty without one
public record QueueInfo(
    String name,
    boolean paused,
    long queued,
    long scheduled,
    long running,
    OptionalInt maxRunning) {}
