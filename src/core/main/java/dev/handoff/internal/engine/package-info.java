/// Engine: its parts, and the route of a message through them.
///
/// ```
/// Engine                guardian: starts all parts, stops them in order, reports health
///  ├─ Gateway           finds the partition of an id, assigns plans to partitions
///  ├─ Partition …       jobs and plans; their ledger and dispatcher; keys; ended jobs
///  ├─ Queues            pauses and limits over all partitions
///  ├─ Breakers          permits for calls that may fail
///  ├─ Blobs             contents of changes, stored before a fact names them
///  ├─ ApplyRunner       writes the changes of plans into directories
///  ├─ WorkerPool        workers of this node
///  ├─ EventBuffer       live events for subscribers
///  ├─ HistoryRetention  deletes old history
///  ├─ OpenQuestions     requests from outside that wait for a reply
///  └─ (handoff-context) Workspaces: indexed directories; Assembler: one assembly for each request
/// ```
@NullMarked
package dev.handoff.internal.engine;

import org.jspecify.annotations.NullMarked;
