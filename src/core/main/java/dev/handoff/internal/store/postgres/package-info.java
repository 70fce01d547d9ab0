/// Store in a PostgreSQL database: several writers, whose waiting batches share a statement.
@NullMarked
package dev.handoff.internal.store.postgres;

import org.jspecify.annotations.NullMarked;
