/// What is durable: [Store] and its implementations over SQLite, PostgreSQL and memory. Knows bytes
/// and rows, never what they mean. Whoever owns a partition writes it batch by batch; each write is
/// fenced by the incarnation of its owner and numbered, so that a batch whose outcome is unknown
/// can be handed in again.
@NullMarked
package dev.handoff.store;

import org.jspecify.annotations.NullMarked;
