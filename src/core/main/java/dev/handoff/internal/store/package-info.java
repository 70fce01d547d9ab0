/// Durable storage: [Store] with implementations for SQLite, PostgreSQL and memory. Stores handle
/// bytes and rows without their meaning. The owner of a partition writes it batch by batch. Each
/// write is fenced by the owner's incarnation and numbered, so a batch with an unknown outcome can
/// be sent again.
@NullMarked
package dev.handoff.internal.store;

import org.jspecify.annotations.NullMarked;
