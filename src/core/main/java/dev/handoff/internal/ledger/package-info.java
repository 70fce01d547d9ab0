/// Write-ahead log of one partition: a fact that is not in the ledger has not happened. The actor
/// [dev.handoff.internal.ledger.LedgerActor] takes encoded facts, writes all waiting appends as one
/// batch, folds the batch into the live states, and only then tells the senders.
///
/// ```
/// Ledger.Command
///  ├─ Append        facts of one entity (or of some that belong together), all or nothing
///  ├─ GetStates     live states, for lists
///  └─ (internal)    the store's answers, the checkpoint's progress
/// Ledger.Reply      Committed │ Refused │ Unavailable
/// ```
///
/// The ledger knows no jobs and no plans, only [dev.handoff.internal.ledger.StoredEvent],
/// [dev.handoff.EntityId] and the fold.
@NullMarked
package dev.handoff.internal.ledger;

import org.jspecify.annotations.NullMarked;
