/// The write-ahead log of one partition: what is not in the ledger has not happened. The actor
/// [dev.handoff.ledger.LedgerActor] takes facts that their senders have already encoded, writes
/// whatever waits as one batch, folds it into the live states, and only then tells the senders.
///
/// ```
/// Ledger.Command
///  ├─ Append        facts of one entity (or of some that belong together), all or nothing
///  ├─ GetStates     the live states, for lists
///  └─ (internal)    the store's answers, the checkpoint's progress
/// Ledger.Reply      Committed │ Refused │ Unavailable
/// ```
///
/// It knows no jobs and no plans: only [dev.handoff.ledger.StoredEvent],
/// [dev.handoff.ledger.EntityId] and how to fold.
@NullMarked
package dev.handoff.ledger;

import org.jspecify.annotations.NullMarked;
