/// Engine: its parts, and the route of a message through them.
///
/// ```
/// Engine            guardian: starts all parts, stops them in order, reports health
///  ├─ Gateway       finds the partition of an id, assigns plans to partitions
///  ├─ Partition …   jobs, their ledger and their dispatcher; keys; requests for ended jobs
///  ├─ Queues        pauses and limits over all partitions
///  ├─ Breakers      permits for calls that may fail
///  ├─ Workspaces    indexed directories in which context is searched
///  ├─ Assembler     assembles contexts: one assembly for each request
///  ├─ WorkerPool    workers of this node
///  ├─ Events        live events for subscribers
///  └─ Retention     deletes old history
/// ```
@NullMarked
package dev.handoff.internal.engine;

import org.jspecify.annotations.NullMarked;
