/// Store in a file: SQLite, with one writer for all partitions, whose waiting batches share a
/// transaction.
@NullMarked
package dev.handoff.internal.store.sqlite;

import org.jspecify.annotations.NullMarked;
