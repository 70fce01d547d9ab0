/// Durable storage: [Store], and what its implementations for SQLite, PostgreSQL and memory share.
/// Each has a package of its own below this one, and `store.open` chooses among them. Stores handle
/// bytes and rows without their meaning. The owner of a partition writes it batch by batch. Each
/// write is fenced by the owner's incarnation and numbered, so a batch with an unknown outcome can
/// be sent again.
@NullMarked
package dev.handoff.internal.store;

import org.jspecify.annotations.NullMarked;
