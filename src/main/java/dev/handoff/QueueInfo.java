package dev.handoff;

import java.util.OptionalInt;

/// A queue as it is now, over the whole engine.
///
/// @param queued jobs that could run
/// @param scheduled jobs that wait for their time
/// @param running jobs that are claimed, running or being stopped
/// @param maxRunning the limit; empty without one
public record QueueInfo(
    String name,
    boolean paused,
    long queued,
    long scheduled,
    long running,
    OptionalInt maxRunning) {}
