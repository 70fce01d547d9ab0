/// The house: what an engine is made of, and how a message finds its way.
///
/// ```
/// Engine            the guardian: starts everything, stops it in order, says how it is
///  ├─ Gateway       finds the partition of an id, deals plans to the partitions
///  ├─ Partition …   jobs, their ledger and their dispatcher; keys; what is asked of ended jobs
///  ├─ Queues        pauses and limits over all partitions
///  ├─ Breakers      who may call what has failed before
///  ├─ Workspaces    directories that context is looked for in, indexed
///  ├─ Assembler     makes contexts: one assembly for each request
///  ├─ WorkerPool    the workers of this node
///  ├─ Events        what happens, for whoever wants to watch
///  └─ Retention     forgets old history
/// ```
@NullMarked
package dev.handoff.engine;

import org.jspecify.annotations.NullMarked;
